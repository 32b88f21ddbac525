"""The packaged model on a machine without a network."""

import shutil
import subprocess
import sys

import pytest

_CUT = ["unshare", "--net", "--map-root-user"]
_CODE = """
from sightline.embedding import load_embedder
model = load_embedder()
codes = ["def remove(path): os.unlink(path)", "def connect(host): socket.create_connection(host)"]
scores = model.embed(codes) @ model.embed_query("delete a file")
print(scores.argmax())
"""


def _network_can_be_cut() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*_CUT, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _network_can_be_cut(), reason="needs unshare and the right to use it")
def test_the_packaged_model_loads_and_embeds_without_a_network() -> None:
    answer = subprocess.run([*_CUT, sys.executable, "-c", _CODE], capture_output=True, text=True, check=False)
    assert answer.stdout.strip() == "0", answer.stderr
