"""`sightline mcp`: serves the tools to an agent on stdin and stdout."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from sightline import __version__
from sightline.agents.tool_calls import ToolContext, call
from sightline.agents.tool_definitions import TOOLS, Tool
from sightline.errors import SightlineError
from sightline.mcp.mcp_session import McpSession
from sightline.mcp.roots import ClientRoots
from sightline.names import COMMAND, PRODUCT
from sightline.processes.serving import end_within, log_to_stderr

_INSTRUCTIONS = (
    f"{PRODUCT} searches the code of the open folders by meaning, names and keywords, offline. Ask `search`"
    " in plain words when the exact text is not known, `symbols` for a definition by name, and `related` for"
    " callers, callees and tests of a place. Lines count from 1."
)
_LINGER_SECONDS = 0.5

Context = ServerRequestContext[Any]


def serve(folders: Sequence[Path], default: Callable[[], Path]) -> int:
    """Serve one client until it disconnects; `default` gives the folder if neither side names one."""
    log_to_stderr()
    anyio.run(_run, Conversation(folders, default))
    end_within(_LINGER_SECONDS, 0)
    return 0


async def _run(conversation: Conversation) -> None:
    server = conversation.server
    try:
        async with stdio_server() as (received, sent):
            conversation.prepare()
            await server.run(received, sent, server.create_initialization_options())
    finally:
        conversation.session.close()


class Conversation:
    """One client: its folders, and the workspace that serves it."""

    def __init__(self, folders: Sequence[Path], default: Callable[[], Path]) -> None:
        self.session = McpSession()
        self._roots = ClientRoots(folders, default)
        self.server: Server[Any] = Server(
            COMMAND,
            version=__version__,
            title=PRODUCT,
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        self.server.add_notification_handler(
            "notifications/roots/list_changed", types.NotificationParams, self._roots_changed
        )

    def prepare(self) -> None:
        """Start to index the folders of the command line before the first request."""
        if self._roots.known:
            threading.Thread(target=self.session.prepare, args=(self._roots.known,), daemon=True).start()

    async def _list_tools(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def _roots_changed(self, _ctx: Context, _params: types.NotificationParams | None) -> None:
        self._roots.forget()

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        try:
            roots = await self._roots.ask(ctx, params)
            if isinstance(roots, types.InputRequiredResult):
                return roots
            answer = await self._answer(roots, params)
        except SightlineError as error:
            return types.CallToolResult(content=[_text(str(error))], is_error=True)
        return types.CallToolResult(content=[_text(answer)])

    async def _answer(self, roots: Sequence[Path], params: types.CallToolRequestParams) -> str:
        """Run the tool on a thread; a cancelled request stops it at its next stage."""
        stop = threading.Event()

        def work() -> str:
            return self.session.ask(
                roots,
                lambda workspace: call(
                    params.name, params.arguments, ToolContext(workspace, cancelled=stop.is_set)
                ),
            )

        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        finally:
            stop.set()


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
