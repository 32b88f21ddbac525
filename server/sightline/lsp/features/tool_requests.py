"""workspace/sightlineTool: the agent tools, for an editor that offers them to its own agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sightline.lsp.wire import CALL_TOOL, WireToolAnswer
from sightline.requests.fields import Fields

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.lsp.session import Cancelled
    from sightline.workspace import Workspace


def register(server: SightlineServer) -> None:
    """Handle the request."""
    server.feature(CALL_TOOL)(call_tool)


async def call_tool(ls: SightlineServer, params: object) -> WireToolAnswer:
    """The answer of a tool; the editor's unsaved texts override those on disk."""
    fields = Fields.of(params)
    name, arguments = fields.text("name"), fields.values.get("arguments")
    overlays = ls.session.documents.overlays()

    def work(workspace: Workspace, cancelled: Cancelled) -> str:
        # Imported after initialize is answered, like everything that needs the index.
        from sightline.agents.tool_calls import ToolContext, call

        return call(name, arguments, ToolContext(workspace, overlays, cancelled))

    return {"text": await ls.session.ask(work)}
