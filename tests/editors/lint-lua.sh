#!/bin/sh
# Checks the Lua files with luacheck and stylua; `--fix` formats them instead.
set -eu

cd "$(dirname "$0")/../.."
programs=$(tests/editors/install-neovim.sh)
if [ -z "$programs" ]; then
    echo "LUA IS NOT CHECKED: the install script says why" >&2
    exit 0
fi

check=--check
[ "${1:-}" = --fix ] && check=
# shellcheck disable=SC2046,SC2086 # no name has a space, and without --check there is no argument
node tests/editors/neovim/stylua.mjs "$programs/../stylua" editors/neovim/stylua.toml $check \
    $(git ls-files --cached --others --exclude-standard '*.lua')
[ -z "$check" ] || "$programs/luacheck" --quiet --config editors/neovim/.luacheckrc editors/neovim tests/editors/neovim
