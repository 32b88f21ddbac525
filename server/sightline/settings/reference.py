"""Generates docs/settings.md from the settings tree: `python -m sightline.settings`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

_HEAD = """\
# Settings

Every setting has a default that suits most projects; none has to be set. Values come from four places;
later ones override earlier ones:

1. the defaults below;
2. your user file: `settings.toml` in the `sightline` folder of your configuration directory
   (`~/.config/sightline` on Linux, `~/Library/Application Support/sightline` on macOS,
   `%LOCALAPPDATA%\\sightline` on Windows);
3. `.sightline.toml` at the top of the workspace folder;
4. the editor's settings (`settings` of the Neovim client; `sightline.*` in VS Code, where names are written
   in camel case, as in `sightline.indexing.cpuPercent`; the names below are accepted too).

Settings of scope *user* could make the server fetch something or read outside the workspace. They are read
from your user file and your editor, never from a `.sightline.toml`, which may have come with the code.

An invalid value is reported in one warning that names the key, and the value of the earlier place is used.

```toml
# .sightline.toml
[indexing]
exclude = ["fixtures/", "*.snap"]

[search]
limit = 20
```

Files can also be excluded in `.sightlineignore` (gitignore syntax, at any level). It overrides `.gitignore`:
`!generated/` in it includes a folder that git ignores.
"""


def markdown(schema: Mapping[str, Mapping[str, Any]]) -> str:
    """The reference page of all settings."""
    parts = [_HEAD]
    for section, keys in groupby(schema, key=lambda key: key.partition(".")[0]):
        parts.append(
            f"\n## {section}\n\n| setting | type | default | scope | what it does |\n|---|---|---|---|---|\n"
        )
        parts.extend(_row(key, schema[key]) for key in keys)
    return "".join(parts)


def _row(key: str, facts: Mapping[str, Any]) -> str:
    default = json.dumps(facts["default"])
    examples = [f" For example `{_toml(example)}`." for example in facts.get("examples", ())]
    text = facts["description"] + "".join(examples)
    return f"| `{key}` | {_type(facts)} | `{default}` | {facts['scope']} | {text} |\n"


def _toml(value: object) -> str:
    """A list or table of strings as one line of TOML."""
    if not isinstance(value, Mapping):
        return json.dumps(value)
    return "{" + ", ".join(f"{json.dumps(name)} = {json.dumps(each)}" for name, each in value.items()) + "}"


def _type(facts: Mapping[str, Any]) -> str:
    if "enum" in facts:
        return ", ".join(f"`{choice}`" for choice in facts["enum"])
    if "minimum" in facts:
        return f"{facts['type']}, {facts['minimum']} to {facts['maximum']}"
    if facts["type"] == "array":
        return "list of strings"
    if facts["type"] == "object":
        return f"table of {facts['additionalProperties']['type']}s"
    return str(facts["type"])
