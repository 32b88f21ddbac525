#!/bin/sh
# Installs Emacs and eglot with apt when they are missing, and prints the program's path; prints nothing, and says why
# on stderr, where that cannot be done.
set -eu

has_eglot() {
    command -v emacs >/dev/null && emacs --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1
}

if ! has_eglot; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    if ! command -v apt-get >/dev/null || ! $sudo true; then
        echo "EMACS IS NOT INSTALLED AND WILL NOT BE TESTED: it is not here with eglot, and apt-get cannot be used" >&2
        exit 0
    fi
    {
        $sudo apt-get -qq update
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends emacs-nox elpa-eglot
    } >&2
    has_eglot
fi
command -v emacs
