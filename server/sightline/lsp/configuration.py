"""The editor's settings: from initialize, then pulled if the client supports it, else pushed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

SECTION = "sightline"
# A client that never answers must not block the opening of the index.
_ANSWER_TIMEOUT_SECONDS = 3.0

Tree = Mapping[str, object]

logger = logging.getLogger(__name__)


def section(settings: object) -> Tree:
    """Sightline's section of pushed settings, whether or not they are nested under its name."""
    if not isinstance(settings, Mapping):
        return {}
    inner = settings.get(SECTION)
    if isinstance(inner, Mapping):
        return inner
    return {} if inner is not None else settings


def merged(below: Tree, above: Tree) -> Tree:
    """Merge two trees; where both have a value, `above` wins."""
    result = dict(below)
    for key, value in above.items():
        under = result.get(key)
        both = isinstance(under, Mapping) and isinstance(value, Mapping)
        result[key] = merged(under, value) if both else value  # type: ignore[arg-type]  # both are mappings
    return result


async def pull(server: SightlineServer) -> Tree | None:
    """Ask the client for its settings; None when it does not answer."""
    item = types.ConfigurationItem(section=SECTION)
    asked = server.workspace_configuration_async(types.ConfigurationParams(items=[item]))
    try:
        answer = await asyncio.wait_for(asked, _ANSWER_TIMEOUT_SECONDS)
    except (asyncio.TimeoutError, JsonRpcException) as error:
        logger.warning("the client did not give its settings: %s", error or "no answer")
        return None
    first = answer[0] if answer else None
    return without_nulls(first) if isinstance(first, Mapping) else {}


def without_nulls(tree: Tree) -> Tree:
    """The tree without null members: clients send null for a setting that is not set."""
    return {
        key: without_nulls(value) if isinstance(value, Mapping) else value
        for key, value in tree.items()
        if value is not None
    }
