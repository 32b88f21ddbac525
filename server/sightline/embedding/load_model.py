"""Loads the model of the setting `embedding.model`."""

import os
from pathlib import Path

from sightline.embedding.embedder import Embedder
from sightline.embedding.fastembed_models import load_catalogue_model
from sightline.embedding.model_folder import load_folder, load_packaged

PACKAGED = "packaged"
PACKAGED_FOLDER = Path(__file__).parent / "packaged"


def load_embedder(
    model: str = PACKAGED, cache_dir: Path | None = None, allow_download: bool = False
) -> Embedder:
    """Load the packaged model, one in a folder or one of fastembed's catalogue, or raise ModelUnavailable."""
    if model == PACKAGED:
        return load_packaged(PACKAGED_FOLDER)
    if _names_a_folder(model):
        return load_folder(Path(model).expanduser())
    return load_catalogue_model(model, cache_dir, allow_download)


def _names_a_folder(model: str) -> bool:
    # Catalogue names are "owner/name": only a name that exists, is absolute or starts like a path is treated
    # as a path.
    looks_like_path = model.startswith((".", "~", "/", os.sep)) or Path(model).is_absolute()
    return looks_like_path or Path(model).is_dir()
