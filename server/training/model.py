"""The model during training: one vector per token, sums with saturated counts, a contrastive loss."""

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding_bag, normalize

from training.encode import Bags
from training.saturation import saturated

Rows = NDArray[np.int64]


def embed(table: Tensor, ids: Rows, counts: NDArray[np.float32], offsets: Rows) -> Tensor:
    """Return the unit vectors of bags given as flat arrays."""
    weights = torch.from_numpy(saturated(counts))
    flat, starts = torch.from_numpy(ids), torch.from_numpy(offsets)
    return normalize(embedding_bag(flat, table, starts, mode="sum", per_sample_weights=weights), dim=1)


def contrastive_loss(queries: Tensor, codes: Tensor, groups: Rows, temperature: float) -> Tensor:
    """Contrast queries with the batch's codes, and the reverse; members of one group are no negatives."""
    logits = queries @ codes.T / temperature
    group = torch.from_numpy(groups)
    same = (group[:, None] == group[None, :]) & ~torch.eye(len(groups), dtype=torch.bool)
    logits = logits.masked_fill(same, float("-inf"))
    labels = torch.arange(len(groups))
    return (cross_entropy(logits, labels) + cross_entropy(logits.T, labels)) / 2


@dataclass(slots=True)
class TokenTable:
    """The trained vectors with Adam's averages; a step updates only the rows of the batch's tokens."""

    vectors: Tensor
    momentum: Tensor = field(init=False)
    variance: Tensor = field(init=False)
    steps: int = 0

    _BETAS = (0.9, 0.98)

    def __post_init__(self) -> None:
        self.momentum = torch.zeros_like(self.vectors)
        self.variance = torch.zeros_like(self.vectors)

    def step(
        self, queries: Bags, codes: Bags, rows: Rows, groups: Rows, temperature: float, rate: float
    ) -> float:
        """Train on one batch and return its loss."""
        query_ids, query_counts, query_offsets = queries.take(rows)
        code_ids, code_counts, code_offsets = codes.take(rows)
        touched, local = np.unique(np.concatenate((query_ids, code_ids)), return_inverse=True)
        part = self.vectors[torch.from_numpy(touched)].requires_grad_(True)
        loss = contrastive_loss(
            embed(part, local[: len(query_ids)], query_counts, query_offsets),
            embed(part, local[len(query_ids) :], code_counts, code_offsets),
            groups,
            temperature,
        )
        loss.backward()
        if part.grad is not None:
            self._update(torch.from_numpy(touched), part.grad, rate)
        return float(loss.item())

    def _update(self, rows: Tensor, gradient: Tensor, rate: float) -> None:
        self.steps += 1
        first, second = self._BETAS
        momentum = self.momentum[rows].mul_(first).add_(gradient, alpha=1 - first)
        variance = self.variance[rows].mul_(second).addcmul_(gradient, gradient, value=1 - second)
        self.momentum[rows], self.variance[rows] = momentum, variance
        size = rate / (1 - first**self.steps)
        scale = (variance / (1 - second**self.steps)).sqrt_().add_(1e-8)
        self.vectors[rows] -= size * momentum / scale
