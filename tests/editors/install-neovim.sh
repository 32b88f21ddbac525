#!/bin/sh
# Puts Neovim, Telescope, tmux, fzf, luacheck and stylua under the development cache and prints the folder of the
# programs; prints nothing, and the reason on stderr, where the platform cannot run them. Neither Debian, npm nor PyPI
# carries snacks.nvim or fzf-lua.
# Debian's stable Neovim is too old for vim.lsp.config, so the packages come from a newer suite, unpacked next to
# the system and never installed into it: no root needed, nothing of the machine changes.
set -eu

suite=forky
cache=${SIGHTLINE_DEV_CACHE:-$HOME/.cache/sightline-dev}
root=$cache/neovim-$suite
stylua=2.5.2
stamp=$root/.installed-4-$stylua

if [ -e "$stamp" ]; then
    echo "$root/bin"
    exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "NEOVIM IS NOT INSTALLED AND WILL NOT BE TESTED: this machine has no apt-get and dpkg-deb" >&2
    exit 0
fi

debian_mirror() {
    apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        grep -v -e security -e '^cdrom:' | grep -e '/debian/*$' | head -n 1
}

mirror=$(debian_mirror)
if [ -z "$mirror" ]; then
    echo "NEOVIM IS NOT INSTALLED AND WILL NOT BE TESTED: the apt sources of this machine name no Debian mirror" >&2
    exit 0
fi

rm -rf "$root"
mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
: >"$root/apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$root/apt/sources.list"

# An empty status file makes apt resolve the whole closure, libc included, instead of trusting what is installed.
private_apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$root/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::Etc::preferencesparts=/dev/null -o Dir::State::lists="$root/apt/lists" -o Dir::State::status="$root/apt/status" \
        -o Dir::Cache="$root/apt" -o Dir::Cache::archives="$root/apt/archives" -o Debug::NoLocking=1 \
        -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=0 -o Acquire::Languages=none "$@"
}
{
    private_apt update
    private_apt install --download-only --yes neovim neovim-telescope tmux fzf patchelf lua-check
    for package in "$root"/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
    done
} >&2

# The programs must load the C library they came with, not the older one of the machine.
libraries=$(dirname "$(find "$root/usr/lib" -name 'ld-linux-*.so.*' -path '*linux-gnu*' | head -n 1)")
loader=$(find "$libraries" -name 'ld-linux-*.so.*' | head -n 1)
for program in nvim tmux lua5.1; do
    "$loader" --library-path "$libraries" "$root/usr/bin/patchelf" --set-interpreter "$loader" \
        --set-rpath "$libraries" --force-rpath "$(readlink -f "$root/usr/bin/$program")"
done

# A separate folder for PATH: the packages contain programs that must not hide those of the system.
mkdir "$root/bin"
for program in nvim tmux fzf; do
    ln -s "../usr/bin/$program" "$root/bin/$program"
done
# luacheck looks for its modules where the packages would have been installed.
modules=$(dirname "$(find "$root/usr/lib" -name lfs.so -path '*/5.1/*' | head -n 1)")
cat >"$root/bin/luacheck" <<SCRIPT
#!/bin/sh
LUA_PATH='$root/usr/share/lua/5.1/?.lua;$root/usr/share/lua/5.1/?/init.lua' LUA_CPATH='$modules/?.so' \\
    exec '$root/usr/bin/lua5.1' '$root/usr/bin/luacheck' "\$@"
SCRIPT
chmod +x "$root/bin/luacheck"
# The WebAssembly build: the npm package of the program downloads it from elsewhere.
npm install --silent --no-audit --no-fund --prefix "$root/stylua" "@johnnymorganz/stylua@$stylua" >&2

"$root/bin/nvim" --version | head -n 1 >&2
"$root/bin/tmux" -V >&2
"$root/bin/luacheck" --version >&2
rm -rf "$root/apt"
touch "$stamp"
echo "$root/bin"
