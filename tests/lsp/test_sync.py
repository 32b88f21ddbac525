"""The index follows the disk, the folders and the settings without a restart, in every editor."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

from sightline.requests.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _watched(editor: Editor, path: str, kind: types.FileChangeType) -> None:
    event = types.FileEvent(editor.uri(path), kind)
    editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def test_saved_text_is_found(editor: Editor) -> None:
    editor.save("saved.py", "def brew_espresso():\n    return 'crema'\n")
    hit = await editor.finds("brew espresso", "saved.py")
    assert hit["language"] == "python"


async def test_an_edit_moves_and_replaces_results(editor: Editor) -> None:
    editor.save("edited.py", "def whisk_eggs():\n    pass\n")
    await editor.finds("whisk_eggs", "edited.py")
    editor.save("edited.py", "\n\n\ndef knead_dough():\n    pass\n")
    await editor.finds("knead_dough", "edited.py")

    async def forgotten() -> bool:
        answer = await editor.search("whisk_eggs", mode="keyword")
        return all(hit["path"] != "edited.py" for hit in answer["results"])

    await editor.until(forgotten)


async def test_typing_is_not_indexed_before_the_save(editor: Editor) -> None:
    editor.save("typed.py", "def plain():\n    pass\n")
    await editor.finds("plain", "typed.py")
    editor.open("typed.py", "def plain():\n    pass\n")
    document = types.VersionedTextDocumentIdentifier(2, editor.uri("typed.py"))
    start = types.Position(0, 0)
    edit = types.TextDocumentContentChangePartial(types.Range(start, start), "def zanzibar_ferry(): pass\n")
    editor.text_document_did_change(types.DidChangeTextDocumentParams(document, [edit]))
    answer = await editor.search("zanzibar_ferry", mode="keyword")
    assert all(hit["path"] != "typed.py" for hit in answer["results"])
    editor.close("typed.py")


async def test_a_file_changed_outside_the_editor_is_found(editor: Editor) -> None:
    (editor.root / "outside.py").write_text("def forge_sword():\n    pass\n")
    _watched(editor, "outside.py", types.FileChangeType.Created)
    await editor.finds("forge_sword", "outside.py")
    (editor.root / "outside.py").unlink()
    _watched(editor, "outside.py", types.FileChangeType.Deleted)
    await editor.loses("forge_sword", "outside.py")


async def test_the_files_of_a_renamed_folder_are_found_under_its_new_name(editor: Editor) -> None:
    editor.save("oldname/inner.py", "def paint_fence():\n    pass\n")
    await editor.finds("paint_fence", "oldname/inner.py")
    (editor.root / "oldname").rename(editor.root / "newname")
    rename = types.FileRename(editor.uri("oldname"), editor.uri("newname"))
    editor.workspace_did_rename_files(types.RenameFilesParams([rename]))
    await editor.finds("paint_fence", "newname/inner.py")
    await editor.loses("paint_fence", "oldname/inner.py")


async def test_files_created_and_deleted_in_the_editor_are_followed(editor: Editor) -> None:
    (editor.root / "made.py").write_text("def plant_tulips():\n    pass\n")
    editor.workspace_did_create_files(types.CreateFilesParams([types.FileCreate(editor.uri("made.py"))]))
    await editor.finds("plant_tulips", "made.py")
    (editor.root / "made.py").unlink()
    editor.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(editor.uri("made.py"))]))
    await editor.loses("plant_tulips", "made.py")


async def test_the_will_requests_return_no_edits(editor: Editor) -> None:
    create = types.CreateFilesParams([types.FileCreate(editor.uri("x.py"))])
    assert await editor.ask("workspace/willCreateFiles", create) is None


async def test_an_edited_ignore_file_takes_effect(editor: Editor) -> None:
    editor.save("private/diary.py", "def secret_garden():\n    pass\n")
    await editor.finds("secret_garden", "private/diary.py")
    editor.save(".gitignore", "private/\n")
    await editor.loses("secret_garden", "private/diary.py")
    editor.save(".gitignore", "\n")
    await editor.finds("secret_garden", "private/diary.py")


async def test_an_edited_settings_file_takes_effect(editor: Editor) -> None:
    editor.save("vendor/lib.py", "def borrowed_code():\n    pass\n")
    await editor.finds("borrowed_code", "vendor/lib.py")
    editor.save(".sightline.toml", '[indexing]\nexclude = ["vendor/"]\n')
    await editor.loses("borrowed_code", "vendor/lib.py")
    editor.save(".sightline.toml", "")
    await editor.finds("borrowed_code", "vendor/lib.py")


async def test_settings_changed_in_the_editor_take_effect(editor: Editor) -> None:
    editor.save("excluded/lib.py", "def hidden_lagoon():\n    pass\n")
    await editor.finds("hidden_lagoon", "excluded/lib.py")
    _configure(editor, {"indexing": {"exclude": ["excluded/"]}})
    await editor.loses("hidden_lagoon", "excluded/lib.py")
    _configure(editor, {})
    await editor.finds("hidden_lagoon", "excluded/lib.py")


async def test_an_invalid_setting_causes_one_warning_that_names_it(editor: Editor) -> None:
    before = len(editor.messages)
    for _ in range(2):
        _configure(editor, {"search": {"limit": "many", "speling": 1}})

    def named(setting: str) -> int:
        return sum(setting in message.message for message in editor.messages[before:])

    async def both() -> bool:
        return bool(named("search.limit") and named("search.speling"))

    assert await editor.until(both)
    _configure(editor, {})
    assert (named("search.limit"), named("search.speling")) == (1, 1)


async def test_lenses_can_be_enabled(editor: Editor) -> None:
    _configure(editor, {"code_lens": {"enabled": True}})
    identifier = types.TextDocumentIdentifier(editor.uri("shop/basket.py"))

    async def lenses() -> Any:
        return await editor.text_document_code_lens_async(types.CodeLensParams(identifier))

    lens = (await editor.until(lenses))[0]
    _configure(editor, {})
    assert lens.command.command == "sightline.findRelated"
    assert lens.range.start.line == 3


async def test_folders_can_be_added_and_removed(
    editor: Editor, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "boat.py").write_text("def hoist_sails():\n    pass\n")
    folder = types.WorkspaceFolder(from_path(str(other)), "other")
    _change_folders(editor, added=[folder])
    hit = await editor.finds("hoist_sails", "boat.py")
    assert hit["folder"] == folder.uri
    _change_folders(editor, removed=[folder])
    await editor.loses("hoist_sails", "boat.py")
    assert len((await editor.ask("workspace/indexStatus", {}))["folders"]) == 1


async def test_a_folder_inside_another_is_not_indexed_twice(editor: Editor) -> None:
    editor.save("nested/deep.py", "def dive_for_pearls():\n    pass\n")
    await editor.finds("dive_for_pearls", "nested/deep.py")
    folder = types.WorkspaceFolder(editor.uri("nested"), "nested")
    _change_folders(editor, added=[folder])
    await editor.finds("dive_for_pearls", "deep.py")
    await editor.loses("dive_for_pearls", "nested/deep.py")
    _change_folders(editor, removed=[folder])
    await editor.finds("dive_for_pearls", "nested/deep.py")


async def test_a_missing_folder_does_not_affect_the_others(editor: Editor) -> None:
    folder = types.WorkspaceFolder(from_path(str(editor.root.parent / "gone")), "gone")
    _change_folders(editor, added=[folder])
    assert (await editor.search("credit card"))["results"]
    _change_folders(editor, removed=[folder])


async def test_a_removed_directory_is_removed_from_the_index(editor: Editor) -> None:
    editor.save("doomed/a.py", "def sink_ship():\n    pass\n")
    await editor.finds("sink_ship", "doomed/a.py")
    shutil.rmtree(Path(editor.root, "doomed"))
    _watched(editor, "doomed", types.FileChangeType.Deleted)
    await editor.loses("sink_ship", "doomed/a.py")


def _configure(editor: Editor, tree: dict[str, Any]) -> None:
    editor.set_configuration({"sightline": tree})
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams({"sightline": tree}))


def _change_folders(
    editor: Editor,
    added: list[types.WorkspaceFolder] | None = None,
    removed: list[types.WorkspaceFolder] | None = None,
) -> None:
    event = types.WorkspaceFoldersChangeEvent(added or [], removed or [])
    editor.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
