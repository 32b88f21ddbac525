"""Makes a recording from the messages that tests/editors/vscode/harness/record.py logged with a real editor.

python tests/lsp/recording.py FOLDER-OF-THE-RUN ROOT-OF-THE-PROJECT RECORDING.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sightline.lsp.transport import Framing
from sightline.requests.uris import from_path

# Neither is part of the conversation: one names a process of the machine, the other its user's shell.
_PRIVATE = {"processId": None, "clientInfo": None}


def messages(stream: Path) -> list[dict[str, Any]]:
    """The messages of one direction, in order."""
    return [json.loads(body) for body in Framing().feed(stream.read_bytes())]


def recording(run: Path, root: Path) -> dict[str, Any]:
    """What the editor sent, and its responses by the method of the request."""
    sent, asked = messages(run / "to-server"), messages(run / "to-editor")
    methods = {each["id"]: each["method"] for each in asked if "method" in each and "id" in each}
    answers: dict[str, list[Any]] = {}
    for each in sent:
        if "method" not in each and each["id"] in methods:
            answers.setdefault(methods[each["id"]], []).append(each.get("result"))
    conversation = [_public(each) for each in sent if "method" in each]
    whole = json.dumps({"sent": conversation, "answers": answers})
    return dict(json.loads(whole.replace(from_path(str(root)), "${URI}").replace(str(root), "${ROOT}")))


def _public(message: dict[str, Any]) -> dict[str, Any]:
    if message["method"] != "initialize":
        return message
    params = {key: _PRIVATE.get(key, value) for key, value in message["params"].items()}
    return {**message, "params": params}


if __name__ == "__main__":
    kept = recording(Path(sys.argv[1]), Path(sys.argv[2]))
    Path(sys.argv[3]).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
