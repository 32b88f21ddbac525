"""Files that are skipped because of their name alone: secrets, lockfiles, binaries, bundles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sightline.indexing.discovery.skips import SkipReason


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# What editors, file managers and users add to the name of a copy.
_COPY = re.compile(
    r"^(copy of |\.?#)|(~|#|\.~\d+~| ?\(\d+\)"
    r"|[ ._-]+(bak|backup|old|orig|save|saved|copy|tmp|temp|prev|disabled|\d+))$",
    re.IGNORECASE,
)
_SAMPLE = re.compile(r"example|sample|template|dist$|defaults?$|schema", re.IGNORECASE)
_ENV = re.compile(r"\.env(rc|[._-].*)?$|.*\.env$", re.IGNORECASE)

_SECRET_NAMES = frozenset(
    _words("""
    .netrc _netrc .git-credentials .htpasswd .pgpass .my.cnf .vault-token .dockercfg .s3cfg .boto
    .mylogin.cnf credentials.tfrc.json .terraformrc terraform.rc application_default_credentials.json
    id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk
    credentials credentials.json credentials.toml credentials.csv credentials.ini .credentials
    kubeconfig kubeconfig.yaml kubeconfig.yml kubeconfig.json .dockerconfigjson
    fish_history consolehost_history.txt .zhistory .histfile .viminfo .lesshst .dbshell
    """)
)
_HISTORY = re.compile(r"\.[\w-]+[_-]history$")
_SECRET_ENDINGS = _words("""
    .pem .key .p12 .pfx .p8 .jks .keystore .kdbx .kdb .ppk .gpg .pgp .tfstate .tfstate.backup .keychain
    .keychain-db .agekey .mobileprovision .kubeconfig
""")
_SECRET_PLACES = frozenset(
    {(".aws", "credentials"), (".aws", "config"), (".kube", "config"), (".docker", "config.json")}
)
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".password-store"})

_LOCKFILES = frozenset(
    _words("""
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
    cargo.lock poetry.lock uv.lock pdm.lock pixi.lock pipfile.lock conda-lock.yml composer.lock
    gemfile.lock gems.locked go.sum go.work.sum flake.lock mix.lock rebar.lock podfile.lock
    cartfile.resolved package.resolved pubspec.lock packages.lock.json project.assets.json paket.lock
    gradle.lockfile buildscript-gradle.lockfile stack.yaml.lock cabal.project.freeze .terraform.lock.hcl
    chart.lock module.bazel.lock shard.lock berksfile.lock conan.lock vcpkg-lock.json opam.locked
    renv.lock spago.lock lake-manifest.json
    """)
)

_NOTEBOOK_TIMES = 16
_NOTEBOOK_BYTES = 1 << 24

_MINIFIED = re.compile(r"\.min\.(m?js|cjs|css|html?)$|\.(m?js|cjs|css)\.map$")

_BINARY_ENDINGS = _words("""
    .png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .heic .tif .tiff .psd .mp3 .wav .ogg .flac .m4a
    .aac .mp4 .mov .avi .mkv .webm .ttf .otf .woff .woff2 .eot .zip .gz .tgz .bz2 .xz .zst .lz4 .br .7z
    .rar .tar .jar .war .ear .aar .apk .ipa .dmg .iso .deb .rpm .whl .egg .gem .nupkg .crate .vsix .exe
    .dll .so .dylib .a .o .obj .class .pyc .pyo .pyd .wasm .beam .node .rlib .rmeta .dyn_o .elc .pdf
    .docx .xls .xlsx .ppt .pptx .odt .ods .sqlite .sqlite3 .mdb .parquet .arrow .feather .avro .npy .npz
    .pkl .pickle .h5 .hdf5 .onnx .safetensors .gguf .tflite .gmo .rdb .ds_store .swp
""")


def reason(parts: Sequence[str]) -> SkipReason | None:
    """Why a file with this path is skipped, decided without opening it."""
    name = parts[-1].lower()
    if is_secret(parts):
        return "secret"
    if name in _LOCKFILES:
        return "lockfile"
    if _MINIFIED.search(name):
        return "minified"
    return "binary" if name.endswith(_BINARY_ENDINGS) else None


def most_bytes(name: str, max_bytes: int) -> int:
    """The maximum size of a file; larger for a notebook, which is mostly outputs that are not indexed."""
    if not name.lower().endswith(".ipynb"):
        return max_bytes
    return max(max_bytes, min(max_bytes * _NOTEBOOK_TIMES, _NOTEBOOK_BYTES))


def original_name(name: str) -> str:
    """The lower-case name of the original if a file is a copy, else its own."""
    name = name.lower()
    while len(shorter := _COPY.sub("", name)) < len(name) and shorter:
        name = shorter
    return name


def is_secret(parts: Sequence[str]) -> bool:
    """Whether a file with this name or path holds credentials; source code with such a name does not."""
    name = original_name(parts[-1])
    if name in _SECRET_NAMES or name.endswith(_SECRET_ENDINGS) or _HISTORY.match(name):
        return True
    if _ENV.match(name) and not _SAMPLE.search(name):
        return True
    folders = [part.lower() for part in parts[-3:-1]]
    return bool(folders) and (
        (folders[-1], name) in _SECRET_PLACES or not _SECRET_FOLDERS.isdisjoint(folders)
    )
