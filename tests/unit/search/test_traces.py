"""Stack traces in the formats that users paste."""

from __future__ import annotations

import pytest

from sightline.search.query.traces import Frame, frames

TRACES = {
    "python": (
        'Traceback (most recent call last):\n  File "/app/run.py", line 3, in main\n    go()\n'
        '  File "/app/pkg/core.py", line 42, in go\n    raise ValueError\nValueError\n',
        [Frame("/app/pkg/core.py", 42, "go"), Frame("/app/run.py", 3, "main")],
    ),
    "javascript": (
        "TypeError: x is undefined\n    at Router.handle (/srv/lib/router.js:12:9)\n"
        "    at async /srv/lib/app.js:7:3\n",
        [Frame("/srv/lib/router.js", 12, "handle"), Frame("/srv/lib/app.js", 7, "")],
    ),
    "java": (
        "java.lang.NullPointerException\n\tat com.shop.Cart.total(Cart.java:31)\n"
        "\tat com.shop.Main.main(Main.java:9)\n",
        [Frame("Cart.java", 31, "total"), Frame("Main.java", 9, "main")],
    ),
    "go": (
        "panic: nil\n\ngoroutine 1 [running]:\nmain.(*Server).Serve(0xc000)\n\t/src/server.go:88 +0x1d\n"
        "main.main()\n\t/src/main.go:12 +0x20\n",
        [Frame("/src/server.go", 88, "Serve"), Frame("/src/main.go", 12, "main")],
    ),
    "rust": (
        "stack backtrace:\n   0: shop::cart::total\n             at ./src/cart.rs:14:5\n"
        "   1: shop::main\n             at ./src/main.rs:3:1\n",
        [Frame("./src/cart.rs", 14, "total"), Frame("./src/main.rs", 3, "main")],
    ),
    "csharp": (
        "System.Exception: no\n   at Shop.Cart.Total(Int32 n) in C:\\src\\Cart.cs:line 21\n",
        [Frame("C:/src/Cart.cs", 21, "Total")],
    ),
    "ruby": (
        "app/cart.rb:5:in `total': no (RuntimeError)\n\tfrom app/main.rb:2:in `<main>'\n",
        [Frame("app/cart.rb", 5, "total"), Frame("app/main.rb", 2, "main")],
    ),
    "php": (
        "PHP Fatal error\n#0 /www/src/Cart.php(17): Shop\\Cart->total()\n#1 /www/index.php(3): main()\n",
        [Frame("/www/src/Cart.php", 17, "total"), Frame("/www/index.php", 3, "main")],
    ),
}


@pytest.mark.parametrize("language", TRACES)
def test_the_innermost_call_comes_first(language: str) -> None:
    text, expected = TRACES[language]
    assert list(frames(text)) == expected


def test_prose_has_no_frames() -> None:
    assert frames("look at the file at line 3 of the router (see router.js)") == ()


def test_a_trace_joined_into_one_line_is_parsed_too() -> None:
    text, expected = TRACES["python"]
    assert list(frames(" ".join(text.split()))) == expected


@pytest.mark.parametrize("piece", ["at ", "a.b(", "1: a::b ", 'File "', "x", "at a(b:1:"])
def test_hostile_text_has_no_frames(piece: str) -> None:
    assert frames(piece * (10_000 // len(piece))) == ()
