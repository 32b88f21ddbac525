"""Train the packaged model from extracted records; docs/model.md documents every measured choice."""

import argparse
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.dataset import Dataset, batches, build_dataset
from training.encode import Encoder
from training.export import export
from training.initial import initial_table
from training.model import TokenTable
from training.records import Record, read_records
from training.tokenizer import train_tokenizer

_log = logging.getLogger(__name__)

MODEL_NAME = "sightline-code-1"


@dataclass(frozen=True, slots=True)
class Recipe:
    """The hyperparameters of a run."""

    vocabulary: int = 32_000
    tokenizer_share: int = 8
    epochs: float = 1.0
    batch: int = 1536
    one_repository: float = 0.7
    temperature: float = 0.05
    rate: float = 4e-3
    warmup: int = 60
    seeds: tuple[int, ...] = (1, 2, 3)


def train(start: NDArray[np.float32], dataset: Dataset, recipe: Recipe, seed: int) -> NDArray[np.float32]:
    """Return the table after one run of contrastive training."""
    torch.set_num_threads(1)
    table = TokenTable(torch.from_numpy(start).clone())
    steps = int(recipe.epochs * len(dataset.queries) / recipe.batch)
    for step, rows in enumerate(islice(_endless(dataset, recipe, seed), steps)):
        rate = recipe.rate * _schedule(step, steps, recipe.warmup)
        groups = dataset.groups[rows]
        loss = table.step(dataset.queries, dataset.codes, rows, groups, recipe.temperature, rate)
        if step % 100 == 0:
            _log.info("step %d of %d, loss %.3f", step, steps, loss)
    trained: NDArray[np.float32] = table.vectors.numpy()
    return trained


def _schedule(step: int, steps: int, warmup: int) -> float:
    return min(1.0, (step + 1) / warmup) * max(0.02, 1 - step / steps)


def _endless(dataset: Dataset, recipe: Recipe, seed: int) -> Iterator[NDArray[np.int64]]:
    epoch = 0
    while True:
        epoch += 1
        yield from batches(dataset, recipe.batch, recipe.one_repository, seed * 100 + epoch)


def _tokenizer_texts(files: list[Path], share: int) -> Iterator[str]:
    for number, record in enumerate(_records(files)):
        if number % share == 0:
            yield record.code
            yield f"{record.doc}\n{record.header}"


def _records(files: list[Path]) -> Iterator[Record]:
    return chain.from_iterable(map(read_records, files))


def main() -> None:
    """Make the tokenizer, train the table, write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path, nargs="+", help="files that prepare.py wrote")
    parser.add_argument("--start", type=Path, required=True, help="folder of the static model to start from")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    recipe = Recipe()
    texts = _tokenizer_texts(arguments.records, recipe.tokenizer_share)
    tokenizer: Tokenizer = train_tokenizer(texts, recipe.vocabulary)
    dataset = build_dataset(_records(arguments.records), Encoder(tokenizer), recipe.seeds[0])
    _log.info("%d pairs, %d tokens", len(dataset.queries), tokenizer.get_vocab_size())
    start = initial_table(arguments.start, tokenizer)
    table = np.mean([train(start, dataset, recipe, seed) for seed in recipe.seeds], axis=0)
    manifest = export(table, tokenizer, arguments.out, MODEL_NAME)
    _log.info("wrote %s", manifest.id)


if __name__ == "__main__":
    main()
