#!/usr/bin/env bash
# Tools.
source ./lib.sh
. "$HOME/.profile"

export LIMIT=10
readonly NAME="x"

# Greets a person.
greet() {
  local who="$1"
  echo "hello $who"
}

function main {
  greet "$@"
}

alias ll='ls -l'
main
