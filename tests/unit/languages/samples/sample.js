import fs, { join } from "node:path";
const express = require("express");

/** How many times to try. */
export const LIMIT = 3;
let counter = 0;

/**
 * Adds two numbers.
 * @param {number} a
 */
function add(a, b) {
  return helper(a) + b;
}

export default class Router extends Base {
  #routes = [];
  static create() { return new Router(); }
  constructor(app) { super(); }
  get(path, handler) { this.#routes.push(path); }
}

const double = (x) => x * 2;
module.exports.send = function send(body) { return body; };
app.render = (view) => view;

const api = {
  list() { return []; },
  fetch: async () => 1,
};

describe("router", () => {
  it("matches a path", () => { expect(1).toBe(1); });
});
