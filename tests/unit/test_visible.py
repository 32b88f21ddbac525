"""Text from files is shown and cannot control the terminal."""

from __future__ import annotations

import json
import logging
import sys

from hypothesis import given
from hypothesis import strategies as st

from sightline.processes.serving import VisibleFormatter
from sightline.visible import quoted, unlinked, visible, visible_json

_CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"


def test_control_and_direction_characters_are_shown() -> None:
    assert visible(f"a{_CLIPBOARD}b") == r"a\x1b]52;c;ZXZpbA==\x07b"
    assert visible("x\u202ey\u2066z\x9b\x7f\n") == r"x\u{202e}y\u{2066}z\x9b\x7f\n"
    assert visible("tab\tline\n", keep="\t\n") == "tab\tline\n"
    assert visible("grüße 你好 🙂") == "grüße 你好 🙂"


def test_only_odd_paths_are_quoted() -> None:
    assert quoted("a b/grün.py") == "a b/grün.py"
    assert quoted('a\n"b".py') == r'"a\n\"b\".py"'


@given(st.text())
def test_no_text_has_active_control_characters(text: str) -> None:
    for shown in (visible(text), quoted(text), visible_json(json.dumps(text, ensure_ascii=False))):
        assert shown.isprintable() or not any(char < " " or "\x7f" <= char <= "\x9f" for char in shown)
        assert not set(shown) & set("\u202e\u2066\u200f\u2028")


@given(st.text())
def test_visible_json_has_the_same_value(text: str) -> None:
    assert json.loads(visible_json(json.dumps({"a": text}, ensure_ascii=False, indent=2))) == {"a": text}


def test_a_message_with_workspace_text_has_no_link() -> None:
    assert unlinked("`[Repair](command:workbench.action.terminal.new)` is not a setting\n") == (
        r"`[Repair] (command:workbench.action.terminal.new)` is not a setting\n"
    )


def test_a_log_record_is_one_line_without_control_characters() -> None:
    try:
        raise OSError(f"name{_CLIPBOARD}")
    except OSError:
        trace = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, "", 0, "%s failed", (f"a\n{_CLIPBOARD}",), trace)
    text = VisibleFormatter("%(message)s").format(record)
    assert text.splitlines()[0] == r"a\n\x1b]52;c;ZXZpbA==\x07 failed"
    assert "\x1b" not in text
