"""No file of a workspace is ever executed, and only the cache and temporary files are written."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import sightline
from tests.files import write_files
from tests.security.harness import Home

_SHADOWS = ("sitecustomize", "sightline", "numpy", "asyncio", "chromadb", "fastembed", "pathspec")
_HOSTILE = {
    **{f"{name}.py": "open('RAN', 'w').close()\n" for name in _SHADOWS},
    **{f"{name}/__init__.py": "open('RAN', 'w').close()\n" for name in ("sightline", "numpy", "chromadb")},
    ".env": "CHROMA_API_IMPL=shadow.Evil\nCHROMA_PRODUCT_TELEMETRY_IMPL=shadow.Evil\n",
    ".git/config": "[core]\n\texcludesFile = |touch RAN\n\tfsmonitor = touch RAN\n\thooksPath = .\n",
    ".git/hooks/post-checkout": "#!/bin/sh\ntouch RAN\n",
    ".gitignore": "`touch RAN`\n$(touch RAN)\n",
    ".sightlineignore": "!`touch RAN`\n",
    ".sightline.toml": (
        '[embedding]\nmodel = "./model"\nallow_download = true\n'
        '[store]\nurl = "http://127.0.0.1:9"\n[search]\nrerank_model = "./model"\nexact_limit = 0\n'
    ),
    "model/tokenizer.json": "{}",
    "model/model.onnx": "",
    "setup.py": "open('RAN', 'w').close()\n",
}
_PACKAGE = Path(sightline.__file__).parent


@pytest.fixture
def hostile(project: Path) -> Path:
    """A project whose files try to get executed."""
    return write_files(project, _HOSTILE)


def test_no_file_of_a_workspace_is_executed(home: Home, hostile: Path) -> None:
    done = home.run("search", "credit card", ".", "--json", cwd=hostile, watched=True)
    assert done.returncode == 0, done.stderr
    assert "src/basket.py" in done.stdout
    assert [name for name in home.events("exec") if name.startswith(str(hostile))] == []
    assert not list(hostile.rglob("RAN"))


def test_the_only_child_process_is_the_chroma_process(home: Home, hostile: Path) -> None:
    assert home.run("index", ".", cwd=hostile, watched=True).returncode == 0
    started = home.events("start")
    assert started
    assert all("sightline.stores.vectors.chroma_process" in command for command in started), started


def test_only_the_cache_is_written(home: Home, hostile: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in hostile.rglob("*")}
    assert home.run("index", hostile, watched=True).returncode == 0
    allowed = (str(home.cache), str(home.folder / "tmp"), "/dev/null", str(home.log))
    written = [path for path in home.events("write") if not path.startswith(allowed) and not path.isdecimal()]
    assert written == []
    assert {path: path.stat().st_mtime_ns for path in hostile.rglob("*")} == before


def test_a_workspace_cannot_choose_models_or_servers(home: Home, hostile: Path) -> None:
    done = home.run("index", hostile)
    for key in ("embedding.model", "embedding.allow_download", "store.url", "search.rerank_model"):
        assert f"`{key}`" in done.stderr
    assert done.returncode == 0, done.stderr


def test_pickles_are_only_exchanged_between_a_server_and_its_child() -> None:
    risky = {"pickle", "marshal", "shelve", "dill", "joblib", "subprocess", "multiprocessing"}
    users = {name: _imports(file) & risky for name, file in _modules()}
    assert {name: used for name, used in users.items() if used} == {
        "history/log.py": {"subprocess"},
        "processes/worker_pipe.py": {"pickle"},
        "processes/worker_process.py": {"pickle", "subprocess"},
    }


def test_no_text_is_compiled_or_evaluated() -> None:
    calls = {
        (name, node.func.id)
        for name, file in _modules()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in ("eval", "exec", "compile", "__import__")
    }
    assert calls == set()


def _modules() -> list[tuple[str, Path]]:
    return [(file.relative_to(_PACKAGE).as_posix(), file) for file in sorted(_PACKAGE.rglob("*.py"))]


def _imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found
