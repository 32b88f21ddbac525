"""What the packaged model reads of a text: its words, each repeated less often the more often it occurs."""

import re
from collections import Counter

# The cuts of the packaged tokenizer, made before it: counting needs words, and it then has less to read.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")


def saturated_words(text: str) -> str:
    """Return the lower-cased words of a text, one that occurs n times repeated 1 + log2(n) times.

    A text's vector is the sum of its tokens' vectors: without this, a chunk that mentions one name twenty
    times would be about nothing else. The model is trained with the same counts.
    """
    counts = Counter(map(str.lower, _WORD.findall(text)))
    return " ".join(f"{word} " * count.bit_length() for word, count in counts.items())
