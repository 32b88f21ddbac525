// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./IERC20.sol";
import {Math} from "./Math.sol";

/// @notice A token.
contract Token is IERC20 {
    uint256 public total;
    mapping(address => uint256) private balances;
    event Transfer(address indexed from, uint256 value);
    error Broke(uint256 need);
    struct Account { uint256 balance; }
    enum State { Open, Closed }

    modifier onlyOwner() { _; }
    constructor(string memory name) { total = 1; }

    /// @notice Moves tokens.
    function transfer(address to, uint256 value) public returns (bool) {
        emit Transfer(msg.sender, value);
        return _move(to, value);
    }
}

interface IERC20 { function transfer(address to, uint256 value) external returns (bool); }
library SafeMath { function add(uint a, uint b) internal pure returns (uint) { return a + b; } }
