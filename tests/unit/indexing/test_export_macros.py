"""C++ classes with a macro before their name, such as `class API_EXPORT Store`."""

from __future__ import annotations

import pytest

from sightline.indexing.parsing.export_macros import blank_export_macros
from sightline.indexing.parsing.parse_file import parse_file
from sightline.languages.table import LANGUAGES

_CLASS = """\
namespace shop {{
class {head} {{
 public:
  Store() : size_(0) {{}}
  ~Store();
  int size() const {{ return size_; }}

 private:
  int size_;
}};
}}
"""
_MEMBERS = {"shop.Store Store", "shop.Store ~Store", "shop.Store size", "shop Store"}


@pytest.mark.parametrize(
    "head",
    [
        "API_EXPORT Store",
        "API_EXPORT Store : public Base",
        "SHOP_API Store final",
        "EXPORTED(1) Store",
        "DLLEXPORT\nStore",
    ],
)
def test_a_class_with_a_macro_has_its_name_and_its_members(head: str) -> None:
    file = parse_file(_CLASS.format(head=head), LANGUAGES["cpp"])
    assert {f"{symbol.container} {symbol.name}" for symbol in file.symbols} >= _MEMBERS
    assert file.status == "ok"
    assert "".join(chunk.text for chunk in file.chunks if chunk.text).count(head) == 1


@pytest.mark.parametrize(
    "text",
    [
        "class STORE {\n};\n",
        "class STORE : public BASE {\n};\n",
        "struct POINT origin{0, 0};\n",
        "struct SOCKET_ADDRESS read_address(int at);\n",
        "class Outer_Store Store;\n",
        "enum OPEN_MODE mode : 4;\n",
    ],
)
def test_other_declarations_are_left_alone(text: str) -> None:
    assert blank_export_macros(text.encode()) == text.encode()
