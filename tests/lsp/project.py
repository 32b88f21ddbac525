"""The small shop that the tests of the server open, and folders that take a while to index."""

from __future__ import annotations

from pathlib import Path

PROJECT = {
    "shop/basket.py": '''"""The basket of a customer."""


class Basket:
    """What a customer wants to buy."""

    def add_item(self, article: str, count: int = 1) -> None:
        """Put an article into the basket."""
        self.items[article] = self.items.get(article, 0) + count

    def total_price(self, prices: dict[str, float]) -> float:
        """Sum up what everything costs."""
        return sum(prices[article] * count for article, count in self.items.items())
''',
    "shop/checkout.py": '''"""Paying for a basket."""

from shop.basket import Basket


def charge_credit_card(number: str, amount: float) -> bool:
    """Take money from a credit card, and say whether the bank agreed."""
    return len(number) == 16 and amount > 0


def checkout(basket: Basket, prices: dict[str, float], card: str) -> bool:
    """Buy everything in the basket."""
    return charge_credit_card(card, basket.total_price(prices))
''',
    "web/session.js": """// Keeps people logged in.
export function refreshSessionToken(session) {
  const lifetime = 3600;
  return { ...session, expires: Date.now() + lifetime * 1000 };
}
""",
    "docs/guide.md": """# Guide

## Returning goods

Send the parcel back within two weeks and the money is refunded.
""",
    "umlaut/größe.py": '''"""😋 Größen."""


def größe_messen(länge: int) -> int:
    """Measure how long something is, in centimetres."""
    emoji = "😋"; hülle = länge
    return hülle
''',
}


def write_modules(root: Path, files: int, functions: int) -> Path:
    """Write `files` Python files with `functions` functions each."""
    root.mkdir()
    body = "".join(f"def function_{n}(value):\n    return value * {n}\n\n" for n in range(functions))
    for number in range(files):
        (root / f"module_{number}.py").write_text(f"# part {number}\n{body}")
    return root
