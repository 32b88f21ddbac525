"""Uses every feature that loads additional packages, with a given interpreter."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from sightline.agents.tool_definitions import TOOLS
from tests.files import write_files
from tests.lsp.project import PROJECT
from tests.lsp.raw_client import RawClient
from tests.release.hub import model_hub
from tests.unit.embedding.cross_encoder import make_cross_encoder
from tests.unit.embedding.onnx_model import make_onnx_model
from tests.unit.embedding.small_model import make_small_model
from tests.unit.stores.chroma_server import ChromaServer

_TOP = Path(__file__).parents[2]
_SAMPLES = _TOP / "tests" / "unit" / "languages" / "samples"
_SECONDS = 300
_QUERY = "read a file"
_EXPRESSION = r"re:/\w+/"
# Its description lists the hub as the only download source.
_CATALOGUE_MODEL = "BAAI/bge-small-en-v1.5"


@dataclass(frozen=True, slots=True)
class Features:
    """An interpreter, a working folder, and extra environment variables for the interpreter."""

    python: Path
    folder: Path
    variables: Mapping[str, str]

    def use_all(self) -> None:
        """Use each feature once; raise AssertionError naming the one that failed."""
        # A pattern that is neither a name nor an ending.
        project = write_files(self.folder / "project", {**PROJECT, ".sightlineignore": "build-[0-9]*\n"})
        for sample in _SAMPLES.glob("*.sample"):
            shutil.copy(sample, project / sample.stem)
        self._command(project)
        self._serve("defaults", project, {})
        self._serve("chroma", project, {"search": {"exact_limit": 0}})
        self._models(project)
        anyio.run(self._agent, project)
        with _chroma_server(self.folder / "server") as url:
            self._serve("url", project, {"store": {"url": url}})

    def _command(self, project: Path) -> None:
        """Run the first commands of a new user."""
        searches = (["search", _QUERY, "."], ["search", _EXPRESSION, "."])
        for arguments in (["--version"], ["doctor"], *searches, ["status", "."]):
            done = subprocess.run(
                [self.python, "-m", "sightline", *arguments],
                cwd=project,
                env=self._environment("command"),
                capture_output=True,
                text=True,
                timeout=_SECONDS,
            )
            assert done.returncode == 0, (arguments, done.stdout, done.stderr)

    def _models(self, project: Path) -> None:
        """Use custom models: a static table, an ONNX graph, a cross-encoder, a model of the catalogue."""
        models = self.folder / "models"
        static = make_small_model(models / "static")
        (static / "manifest.json").unlink()
        for folder in (static, make_onnx_model(models / "onnx")):
            status = self._serve(folder.name, project, {"embedding": {"model": str(folder)}})
            assert status["model"].startswith("local/"), status
        encoder = make_cross_encoder(models / "encoder")
        self._serve("encoder", project, {"search": {"rerank_model": str(encoder)}})
        self._download(project)

    def _serve(self, name: str, project: Path, settings: dict[str, Any], **variables: str) -> dict[str, Any]:
        """Index and search as an editor does; return the folder's final status."""
        command = (str(self.python), "-m", "sightline", "serve")
        client = RawClient(self.folder, command, {**self._environment(name), **variables})
        try:
            client.settings = settings
            client.start(project, {"workspace": {"configuration": True}})
            client.wait_ready(_SECONDS)
            assert client.search(_QUERY), name
            assert client.search(_QUERY, "semantic"), name
            (status,) = client.request("workspace/indexStatus", {})["folders"]
            assert status["state"] == "ready", status
            assert "lastError" not in status, status
            assert client.stop() == 0
        finally:
            client.end()
        found: dict[str, Any] = status
        return found

    def _download(self, project: Path) -> None:
        """Download a model of the catalogue from a hub and use it."""
        files = make_onnx_model(self.folder / "models" / "catalogue")
        (files / "model.onnx").rename(files / "model_optimized.onnx")
        chosen = {"embedding": {"model": _CATALOGUE_MODEL, "allow_download": True}}
        with model_hub(files) as address:
            status = self._serve("download", project, chosen, HF_ENDPOINT=address)
        assert status["model"].startswith("fastembed/"), status

    async def _agent(self, project: Path) -> None:
        """List the tools and search as an agent's client does."""
        server = StdioServerParameters(
            command=str(self.python),
            args=["-m", "sightline", "mcp", "--folder", str(project)],
            env=self._environment("agent"),
            cwd=self.folder,
        )
        async with Client(server, read_timeout_seconds=_SECONDS) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == TOOLS.keys()
            answer = await client.call_tool("search", {"query": _QUERY})
            assert not answer.is_error, answer

    def _environment(self, name: str) -> dict[str, str]:
        home = self.folder / name
        home.mkdir(exist_ok=True)
        kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
        private = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "SIGHTLINE_CACHE_DIR": str(home / "cache"),
        }
        return {**kept, **private, **self.variables}


@contextmanager
def _chroma_server(folder: Path) -> Iterator[str]:
    server = ChromaServer(folder)
    server.start()
    try:
        yield server.url
    finally:
        server.stop()
