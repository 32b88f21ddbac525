#!/bin/sh
# Installs Emacs, eglot, consult and vertico with apt if they are missing, and prints the program's path; prints
# nothing, and the reason on stderr, where that cannot be done.
set -eu

packages="eglot consult vertico"

has_packages() {
    command -v emacs >/dev/null &&
        emacs --batch --eval "(progn (package-initialize) (mapc #'require '($packages)))" >/dev/null 2>&1
}

if ! has_packages; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    if ! command -v apt-get >/dev/null || ! $sudo true; then
        echo "EMACS IS NOT INSTALLED AND WILL NOT BE TESTED: it is not here with $packages, and apt-get cannot be used" >&2
        exit 0
    fi
    {
        $sudo apt-get -qq update
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends \
            emacs-nox elpa-eglot elpa-consult elpa-vertico
    } >&2
    has_packages
fi
command -v emacs
