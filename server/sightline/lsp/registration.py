"""Registers capabilities with the client after the start."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

logger = logging.getLogger(__name__)


async def register_capabilities(server: SightlineServer, registrations: Sequence[types.Registration]) -> bool:
    """Whether the client accepts: some announce that they can be asked, and then reject it."""
    try:
        await server.client_register_capability_async(types.RegistrationParams(registrations))
    except JsonRpcException as error:
        logger.info("the client rejects %s: %s", registrations[0].method, error)
        return False
    return True
