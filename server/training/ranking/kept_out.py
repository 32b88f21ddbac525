"""The projects reserved for judging the ranking, now or later: no tasks are mined from them."""

from __future__ import annotations

from sightline.wordlist import words
from tests.benchmarks.ranking import tasks
from training.exclusions import BENCHMARK_PROJECTS

_HELD_BACK = words(
    "django tornado black core nats-server fzf helix junit5 neovim mpv composer jellyfin newpipe "
    "phoenix_live_view pytest pylint requests flask xarray seaborn astropy aiohttp pydantic chi commons-lang "
    "rack trpc ktor alamofire axum circe ecto fmt nvim-lspconfig mitmproxy lazygit prettier"
)
_YARDSTICKS = ("topics", "changes", "issues", "questions")


def kept_out() -> frozenset[str]:
    """The names of all such projects in lower case."""
    judged = (project for name in _YARDSTICKS for project in tasks.load(name))
    sources = {project.source.partition("/")[2].lower() for project in judged}
    return _HELD_BACK | frozenset(BENCHMARK_PROJECTS) | sources


def held_back(source: str) -> bool:
    """Whether a repository, `owner/name`, is reserved for later judging: nothing is learned from it."""
    return source.partition("/")[2].lower() in _HELD_BACK


def check(source: str) -> None:
    """Raise if a repository, `owner/name`, is one of these projects."""
    if source.partition("/")[2].lower() in kept_out():
        raise ValueError(f"{source} is kept to judge by")
