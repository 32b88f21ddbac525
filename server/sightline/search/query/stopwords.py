"""Words of a question that carry no information about the code."""

from __future__ import annotations

from sightline.wordlist import words
from sightline.words import stem

STOPWORDS = words(
    "a about above across after again against all also am an and another any are around as at away "
    "back be because been before being below between both but by can could did do does doing done "
    "down during each either else etc ever every few for from further get gets give given gives go "
    "goes going had has have having he her here him his how however i if in into is it its itself "
    "just know let like many may me might more most much must my need needs neither no nor not now of "
    "off often on once one only or other our out over own per please rather really same see shall she "
    "should show since so some something still such than that the their them then there these they "
    "thing this those through thus to together too under until up upon us use used uses using very "
    "via want wants was way we well were what whatever when where whether which while who whom whose "
    "why will with within without work works would yet you your code codebase defined does implement "
    "implementation implementations implemented implements handled handles happen happens find "
    "located location"
)

STOPSTEMS = frozenset(stem(word) for word in STOPWORDS)
