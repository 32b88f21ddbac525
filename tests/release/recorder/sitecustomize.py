"""Notes every module that a process imports, in the folder that the environment names."""

import os
import sys

_LOG = os.open(
    os.path.join(os.environ["SIGHTLINE_RECORDED"], f"{os.getpid()}.txt"),
    os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    0o600,
)


def _note(event: str, arguments: tuple[object, ...]) -> None:
    # At once, not at exit: some of our processes are killed.
    if event == "import":
        os.write(_LOG, f"{arguments[0]}\n".encode())


sys.addaudithook(_note)
