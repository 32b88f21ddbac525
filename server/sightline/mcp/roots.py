"""The folders that an agent may search: from the command line, or else from its client."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from sightline.requests.uris import resolved, to_path

_KEY = "roots"


class ClientRoots:
    """Caches the client's roots until it reports a change."""

    def __init__(self, folders: Sequence[Path], default: Callable[[], Path]) -> None:
        """Folders of the command line override all others; `default` is for a client without roots."""
        self._fixed = tuple(folders)
        self._default = default
        self._reported: tuple[Path, ...] | None = None

    @property
    def known(self) -> tuple[Path, ...]:
        """The folders, as far as they are known without a request to the client."""
        return self._fixed or self._reported or ()

    def forget(self) -> None:
        """Ask the client again at the next request."""
        self._reported = None

    async def ask(
        self, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.InputRequiredResult | tuple[Path, ...]:
        """The folders, or the request that the client has to answer first."""
        if self.known:
            return self.known
        capabilities = ctx.session.client_capabilities
        if capabilities is None or capabilities.roots is None:
            # Clients without roots start their servers in the project folder.
            self._reported = (self._default(),)
        elif ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            answer = await ctx.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
            self._reported = _folders(answer)
        else:
            given = (params.input_responses or {}).get(_KEY)
            if not isinstance(given, types.ListRootsResult):
                return types.InputRequiredResult(input_requests={_KEY: types.ListRootsRequest()})
            self._reported = _folders(given)
        return self.known


def _folders(answer: types.ListRootsResult) -> tuple[Path, ...]:
    return tuple(_existing(str(root.uri) for root in answer.roots))


def _existing(uris: Iterable[str]) -> Iterable[Path]:
    for uri in uris:
        path = to_path(uri)
        if path is not None and (folder := resolved(path)).is_dir():
            yield folder
