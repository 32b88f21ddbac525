#!/bin/sh
# Installs what the VS Code tests need (code-server, its Node, Chromium, Playwright) into a cache outside the checkout.
set -eu

CACHE="${SIGHTLINE_DEV_CACHE:-$HOME/.cache/sightline-dev}/vscode"
CODE_SERVER=4.139.1
PLAYWRIGHT=1.65.0
STAMP="$CACHE/stamp-$CODE_SERVER-$PLAYWRIGHT"

has_system_packages() {
    [ -x /usr/bin/chromium ] && dpkg -s fonts-dejavu-core libkrb5-dev >/dev/null 2>&1
}

install_system_packages() {
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
    $sudo apt-get update -q
    # libkrb5-dev: code-server's kerberos module is compiled on installation.
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        chromium fonts-dejavu-core libkrb5-dev build-essential python3 git
}

install_node() {
    # code-server 4.139 needs Node 24; the npm package "node" contains the binary, so no other download is needed.
    npm install --no-audit --no-fund --prefix "$CACHE/node24" node@24
    ln -sfn "$(find "$CACHE/node24" -type d -name 'node-linux-*' -path '*node_modules*' | head -n 1)" "$CACHE/node"
}

install_code_server() {
    if [ -d "$CACHE/node/include/node" ]; then
        # Native modules must be compiled for this Node, also if the user's npmrc sets another nodedir.
        npm_config_nodedir="$CACHE/node"
        export npm_config_nodedir
    fi
    PATH="$CACHE/node/bin:$PATH" npm install --no-audit --no-fund --prefix "$CACHE/code-server" "code-server@$CODE_SERVER"
}

install_playwright() {
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --no-audit --no-fund --prefix "$CACHE/playwright" "playwright-core@$PLAYWRIGHT"
}

has_system_packages || install_system_packages
if [ ! -f "$STAMP" ]; then
    mkdir -p "$CACHE"
    install_node
    install_code_server
    install_playwright
    touch "$STAMP"
fi
echo "VS Code test harness ready in $CACHE"
