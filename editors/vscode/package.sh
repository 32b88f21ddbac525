#!/bin/sh
# Builds sightline-VERSION.vsix, with the server's wheel and the lock file of its dependencies inside, for the
# environment that the extension can make.
# Needs no network once `npm install` has run here. PYTHON names an interpreter with setuptools.
set -eu

cd "$(dirname "$0")"
python="${PYTHON:-python3}"
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT

[ -d node_modules ] || npm install --no-save --no-audit --no-fund

# From a copy: an old build folder in the checkout would put deleted modules into the wheel.
mkdir "$stage/server" "$stage/docs"
cp ../../docs/sightline.1 "$stage/docs/"
cp ../../pyproject.toml ../../README.md ../../LICENSE "$stage/"
cp -R ../../server/sightline "$stage/server/"
find "$stage" -name __pycache__ -type d -prune -exec rm -rf {} +
rm -rf bundled && mkdir bundled
"$python" -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir bundled "$stage"

cp ../../server/requirements.lock bundled/
cp ../../LICENSE LICENSE.txt
npm run --silent build
./node_modules/.bin/vsce package --no-dependencies --no-rewrite-relative-links "$@"
