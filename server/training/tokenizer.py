"""The tokenizer: splits identifiers at case changes, underscores and digits, lower-cases, then WordPiece."""

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

UNKNOWN = "[UNK]"
_HUMPS = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_WORDS = r"\p{L}+|[0-9]+"


def with_cuts(tokenizer: Tokenizer) -> Tokenizer:
    """Add the pre-tokenization steps: split identifiers, lower-case, drop punctuation."""
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex(_HUMPS), " "), normalizers.Lowercase()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_WORDS), "removed", invert=True)
    return tokenizer


def train_tokenizer(texts: Iterable[str], size: int) -> Tokenizer:
    """Learn the vocabulary from texts; the result is a standard tokenizer.json."""
    tokenizer = with_cuts(Tokenizer(models.WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=40)))
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=[UNKNOWN], min_frequency=5, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
