"""Loading models: the packaged one, folders, catalogue names, and the errors when loading fails."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from sightline.embedding import ModelUnavailable, load_embedder
from sightline.embedding.checksums import MANIFEST, verified_manifest
from sightline.embedding.load_model import PACKAGED_FOLDER


def test_the_packaged_model_gives_unit_vectors_of_its_dimension() -> None:
    model = load_embedder()
    vectors = model.embed(["def read_file(path): ...", "open a socket"])
    assert vectors.shape == (2, model.dim)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_packaged_model_finds_code_by_meaning() -> None:
    model = load_embedder()
    codes = ["def remove(path): os.unlink(path)", "def connect(host): socket.create_connection(host)"]
    scores = model.embed(codes) @ model.embed_query("delete a file")
    assert scores[0] > scores[1]


def test_the_packaged_model_fits_in_twenty_megabytes() -> None:
    folder = PACKAGED_FOLDER.parent
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")
    assert size <= 20_000_000


def test_no_texts_give_no_rows(small_model: Path) -> None:
    assert load_embedder(str(small_model)).embed([]).shape == (0, 4)


def test_a_text_without_known_words_gives_a_row_of_zeros(small_model: Path) -> None:
    assert not load_embedder(str(small_model)).embed(["", "zebra"]).any()


def test_a_text_has_the_same_vector_alone_and_in_a_batch(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    crowd = model.embed(["read file", "parse http response", "write socket socket"])
    assert np.allclose(crowd[1], model.embed(["parse http response"])[0], atol=1e-6)
    assert np.allclose(crowd[1], model.embed_query("parse http response"), atol=1e-6)


def test_identifiers_are_embedded_as_their_words(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    assert np.allclose(
        model.embed_query("parseHTTPResponse"), model.embed_query("parse_http_response"), atol=1e-6
    )


def test_threads_get_the_same_vectors(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    texts = [f"read file {'socket ' * number}" for number in range(50)]
    expected = model.embed(texts)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(lambda _: model.embed(texts), range(8)):
            assert np.array_equal(vectors, expected)


def test_a_damaged_weight_is_detected(small_model: Path) -> None:
    weights = small_model / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelUnavailable, match="damaged"):
        load_embedder(str(small_model))


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_an_error_names_the_missing_file(small_model: Path, name: str) -> None:
    (small_model / name).unlink()
    with pytest.raises(ModelUnavailable, match=name):
        load_embedder(str(small_model))


def test_a_broken_manifest_is_a_clear_error(small_model: Path) -> None:
    (small_model / MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(ModelUnavailable, match=MANIFEST):
        load_embedder(str(small_model))


def test_the_id_changes_with_the_weights(small_model: Path) -> None:
    before = verified_manifest(small_model).id
    (small_model / MANIFEST).unlink()
    plain = load_embedder(str(small_model)).id
    assert before != plain
    weights = small_model / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert load_embedder(str(small_model)).id != plain


def test_the_error_for_an_empty_folder_names_the_expected_files(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json"):
        load_embedder(str(tmp_path))


def test_an_unknown_name_is_not_downloaded() -> None:
    with pytest.raises(ModelUnavailable, match="neither a folder nor a model"):
        load_embedder("nobody/nothing", allow_download=True)


def test_a_catalogue_model_is_not_downloaded_without_permission(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="allow_download"):
        load_embedder("BAAI/bge-small-en-v1.5", cache_dir=tmp_path)


def test_a_download_that_takes_too_long_is_aborted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("sightline.embedding.fastembed_models._DOWNLOAD_SECONDS", 0.2)
    with pytest.raises(ModelUnavailable, match=r"not downloaded within|could not be downloaded"):
        load_embedder("BAAI/bge-small-en-v1.5", cache_dir=tmp_path, allow_download=True)


def test_the_packaged_model_does_not_import_fastembed_or_onnxruntime() -> None:
    code = (
        "import sys; from sightline.embedding import load_embedder;"
        "load_embedder('packaged').embed_query('x');"
        "print({'fastembed', 'onnxruntime'} & set(sys.modules))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"
