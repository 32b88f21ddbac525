"""Records every module that a process imports, in the folder named by an environment variable."""

import os
import sys

_LOG = os.open(
    os.path.join(os.environ["SIGHTLINE_RECORDED"], f"{os.getpid()}.txt"),
    os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    0o600,
)
# The MCP package requires it for a transport that is not used here; another one only loads it if it is there.
_ABSENT = "uvicorn"


def _record(event: str, arguments: tuple[object, ...]) -> None:
    if event != "import":
        return
    name = str(arguments[0])
    if name.partition(".")[0] == _ABSENT:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    # Write immediately, not at exit: some of the recorded processes are killed.
    os.write(_LOG, f"{name}\n".encode())


sys.addaudithook(_record)
