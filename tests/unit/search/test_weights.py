"""What the kind of a query, and the way it is searched, change about the weights."""

from sightline.search.classify import classify
from sightline.search.constants import DEFAULTS
from sightline.search.rank import weights


def test_by_vectors_alone_the_path_counts_less() -> None:
    intent = classify("retry a request with backoff")
    both, alone = weights(intent, DEFAULTS), weights(intent, DEFAULTS, keywords=False)
    changed = {name for name in both if both[name] != alone[name]}
    assert changed == {"path_share", "stem_precision", "stem_order"}
    assert all(alone[name] < both[name] for name in changed)


def test_a_name_is_found_by_its_words_more_than_by_its_vector() -> None:
    sentence, name = (
        weights(classify("parse the header"), DEFAULTS),
        weights(classify("parseHeader"), DEFAULTS),
    )
    assert name["semantic"] < sentence["semantic"]
    assert name["definition"] > sentence["definition"]
