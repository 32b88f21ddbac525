"""Generates docs/settings.md from the settings tree: `python -m sightline.settings`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

_HEAD = """\
# Settings

Every setting has a default that is meant to be right; none has to be set. Values come from four places,
a later one over an earlier one:

1. the defaults below;
2. your user file: `settings.toml` in the `sightline` folder of your configuration directory
   (`~/.config/sightline` on Linux, `~/Library/Application Support/sightline` on macOS,
   `%LOCALAPPDATA%\\sightline` on Windows);
3. `.sightline.toml` at the top of the workspace folder;
4. what the editor sends (`settings` of the Neovim client; `sightline.*` in VS Code, where names are written
   in camel case, as in `sightline.indexing.cpuPercent`, and the names below are understood too).

Settings of scope *user* could make the server fetch something or read outside the workspace. They are taken
from your user file and your editor, never from a `.sightline.toml` that came with somebody's code.

A value that cannot be used gives one warning that names the key, and the value of the earlier place stays.

```toml
# .sightline.toml
[indexing]
exclude = ["fixtures/", "*.snap"]

[search]
limit = 20
```

Which files are hidden can also be said in `.sightlineignore` (gitignore syntax, at any level). It is stronger
than `.gitignore`: `!generated/` there brings back a folder that git ignores.
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
