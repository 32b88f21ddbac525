"""Models of fastembed's catalogue: from its cache, or from the hub when the user allowed a download."""

import logging
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.embedding.embedder import Embedder, ModelUnavailable
from sightline.embedding.runtime import FastembedEmbedder, dimension_of

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_log = logging.getLogger(__name__)

# The largest catalogue models are about 2 GB; a hub that hangs must not block a folder forever.
_DOWNLOAD_SECONDS = 900.0


def load_catalogue_model(name: str, cache_dir: Path | None, allow_download: bool) -> Embedder:
    """Load a model by its catalogue name, from the hub only if it is not cached and a download is allowed."""
    _check_name(name)
    cache = str(cache_dir) if cache_dir is not None else None
    try:
        model = _open(name, cache, local_files_only=True)
    except Exception as error:  # hub, tokenizers and onnxruntime share no narrower base class
        if not allow_download:
            raise ModelUnavailable(
                f"The model {name} is not on this machine and downloads are off. "
                'Set embedding.allow_download to true to fetch it, or embedding.model to "packaged".'
            ) from error
        _log.info("downloading the model %s", name)
        model = _download(name, cache)
    return FastembedEmbedder(_catalogue_id(name, model), dimension_of(model), model)


def _check_name(name: str) -> None:
    from fastembed import TextEmbedding

    names = {str(entry["model"]).lower() for entry in TextEmbedding.list_supported_models()}
    if name.lower() not in names:
        raise ModelUnavailable(
            f"{name} is neither a folder nor a model that fastembed knows. "
            'Set embedding.model to a folder, to a name of its catalogue, or to "packaged".'
        )


def _open(name: str, cache: str | None, *, local_files_only: bool) -> "TextEmbedding":
    from fastembed import TextEmbedding

    return TextEmbedding(name, cache_dir=cache, local_files_only=local_files_only)


def _download(name: str, cache: str | None) -> "TextEmbedding":
    """Download on a separate thread: the hub client cannot be interrupted, only abandoned."""
    done: Future[TextEmbedding] = Future()
    threading.Thread(target=_fetch_into, args=(done, name, cache), name="model-download", daemon=True).start()
    try:
        return done.result(timeout=_DOWNLOAD_SECONDS)
    except FutureTimeoutError as error:
        raise ModelUnavailable(
            f"The model {name} was not downloaded within {_DOWNLOAD_SECONDS:.0f} s. "
            'Check the network and reload, or set embedding.model to "packaged".'
        ) from error
    except Exception as error:  # any error of the hub client; the message goes to the user
        raise ModelUnavailable(
            f"The model {name} could not be downloaded ({error}). "
            'Check the network and reload, or set embedding.model to "packaged".'
        ) from error


def _fetch_into(done: "Future[TextEmbedding]", name: str, cache: str | None) -> None:
    try:
        done.set_result(_open(name, cache, local_files_only=False))
    except Exception as error:  # handed to the waiting thread, which reports it
        done.set_exception(error)


def _catalogue_id(name: str, model: "TextEmbedding") -> str:
    """Include the revision: the hub may publish other weights under the same name."""
    revision = Path(getattr(model.model, "_model_dir", "")).name[:12]
    return f"fastembed/{name}:{revision}"
