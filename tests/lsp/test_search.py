"""workspace/semanticSearch and workspace/indexStatus with every editor's capabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_code_is_found_by_what_it_does(editor: Editor) -> None:
    answer = await editor.search("keep people logged in")
    best = answer["results"][0]
    assert best["path"] == "web/session.js"
    assert best["uri"] == editor.uri("web/session.js")
    assert best["folder"] == editor.uri("")
    assert answer["total"] >= len(answer["results"])
    assert answer["coverage"]["state"] == "ready"
    assert answer["coverage"]["filesIndexed"] == answer["coverage"]["filesTotal"] == 5


async def test_ranges_cover_whole_lines_and_the_snippet_is_the_context(editor: Editor) -> None:
    for hit in (await editor.search("money"))["results"]:
        assert hit["range"]["start"]["character"] == hit["range"]["end"]["character"] == 0
        assert hit["range"]["start"]["line"] < hit["range"]["end"]["line"]
        lines = (editor.root / hit["path"]).read_text("utf-8").split("\n")
        shown = hit["snippet"]["text"].split("\n")
        start = hit["snippet"]["startLine"]
        assert shown == lines[start : start + len(shown)]


async def test_the_limit_and_the_offset_make_pages(editor: Editor) -> None:
    both = (await editor.search("basket", limit=2))["results"]
    second = (await editor.search("basket", limit=1, offset=1))["results"]
    assert [hit["path"] for hit in second] == [hit["path"] for hit in both[1:]]


async def test_filters_restrict_the_results(editor: Editor) -> None:
    answer = await editor.search(
        "basket", filters={"languages": ["py"], "excludePaths": ["shop/checkout.py"]}
    )
    paths = {hit["path"] for hit in answer["results"]}
    assert "shop/basket.py" in paths
    assert "shop/checkout.py" not in paths
    assert all(path.endswith(".py") for path in paths)


async def test_inline_filters_restrict_the_results(editor: Editor) -> None:
    answer = await editor.search("basket lang:markdown")
    assert {hit["language"] for hit in answer["results"]} <= {"markdown"}


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "keyword"])
async def test_every_mode_returns_results(editor: Editor, mode: str) -> None:
    assert (await editor.search("credit card", mode=mode))["results"][0]["path"] == "shop/checkout.py"


async def test_a_search_can_be_restricted_to_a_folder(editor: Editor) -> None:
    assert (await editor.search("basket", folders=[editor.uri("")]))["results"]


async def test_an_unknown_folder_is_refused_by_name(editor: Editor) -> None:
    with pytest.raises(JsonRpcException, match="elsewhere") as caught:
        await editor.search("basket", folders=["file:///elsewhere"])
    assert caught.value.code == -32602


async def test_an_invalid_filter_is_refused(editor: Editor) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await editor.search("basket lang:klingonese")
    assert caught.value.code == -32602


async def test_explain_shows_how_the_score_was_computed(editor: Editor) -> None:
    assert (await editor.search("basket", explain=True))["results"][0]["explain"]
    assert "explain" not in (await editor.search("basket"))["results"][0]


async def test_explicit_context_is_that_number_of_lines(editor: Editor) -> None:
    hit = (await editor.search("refresh session token", context="none"))["results"][0]
    assert hit["contextRange"] == hit["range"]
    around = (await editor.search("refresh session token", context={"before": 1, "after": 0}))["results"][0]
    assert around["contextRange"]["start"]["line"] == max(0, around["range"]["start"]["line"] - 1)


async def test_a_work_done_token_gets_begin_and_end(editor: Editor) -> None:
    editor.progress_reports["search-work"] = []
    await editor.search("basket", workDoneToken="search-work")
    kinds = [report.kind for report in editor.progress_reports["search-work"]]
    assert kinds == ["begin", "end"]


async def test_the_status_matches_the_index(editor: Editor) -> None:
    status = await editor.ask("workspace/indexStatus", {})
    folder = status["folders"][0]
    assert folder["uri"] == editor.uri("")
    assert (folder["state"], folder["filesIndexed"], folder["filesTotal"]) == ("ready", 5, 5)
    assert folder["chunks"] == folder["chunksEmbedded"] > 0
    assert sum(folder["parse"].values()) == 5
    assert folder["diskBytes"] > 0
    assert folder["writer"] is True
    assert "lastError" not in folder


async def test_the_last_status_notification_is_never_dropped(editor: Editor) -> None:
    async def notified() -> bool:
        # The last one of a burst can come a quarter of a second after a request already saw the same status.
        return bool(editor.statuses[-1]["folders"][0]["state"] == "ready")

    await editor.until(notified)


async def test_an_unsaved_edit_is_seen_in_snippets(editor: Editor) -> None:
    path = "shop/basket.py"
    text = Path(editor.root, path).read_text("utf-8")
    editor.open(path, text.replace("What a customer wants to buy.", "Everything the shopper picked."))
    try:
        hits = (await editor.search("put an article into the basket"))["results"]
        mine = next(hit for hit in hits if hit["path"] == path and hit["snippet"]["startLine"] <= 4)
        assert "Everything the shopper picked." in mine["snippet"]["text"]
    finally:
        editor.close(path)


async def test_exact_text_must_match(editor: Editor) -> None:
    answer = await editor.search('paying "total_price"')
    assert {hit["path"] for hit in answer["results"]} == {"shop/basket.py", "shop/checkout.py"}
    for hit in answer["results"]:
        landing, text = hit["selectionRange"]["start"], (editor.root / hit["path"]).read_text("utf-8")
        assert text.split("\n")[landing["line"]][landing["character"] :].startswith("total_price")
    assert answer["cached"] is False


async def test_an_expression_must_match(editor: Editor) -> None:
    answer = await editor.search("re:/lifetime = \\d+/")
    assert [hit["path"] for hit in answer["results"]] == ["web/session.js"]


async def test_a_selection_after_wide_characters_is_in_the_clients_units(editor: Editor) -> None:
    (hit,) = (await editor.search('"hülle = länge"'))["results"]
    before = {"utf-8": '    emoji = "😋"; '.encode(), "utf-32": '    emoji = "😋"; '}
    units = before.get(editor.encoding)
    expected = len(units) if units is not None else len('    emoji = "😋"; '.encode("utf-16-le")) // 2
    assert hit["selectionRange"]["start"]["character"] == expected


async def test_an_invalid_expression_is_refused_with_the_reason(editor: Editor) -> None:
    with pytest.raises(JsonRpcException, match="has no '\\)'") as caught:
        await editor.search("re:/(a/")
    assert caught.value.code == -32602


async def test_here_is_the_folder_of_the_current_document(editor: Editor) -> None:
    answer = await editor.search("in:here", currentDocument=editor.uri("web/session.js"))
    assert {hit["path"] for hit in answer["results"]} == {"web/session.js"}
    outside = await editor.search(
        "basket", filters={"scope": ["-here"]}, currentDocument=editor.uri("shop/basket.py")
    )
    assert not {hit["path"] for hit in outside["results"]} & {"shop/basket.py", "shop/checkout.py"}


@pytest.mark.parametrize("params", [{}, {"currentDocument": "untitled:Untitled-1"}])
async def test_here_without_a_file_reports_what_is_missing(editor: Editor, params: dict[str, str]) -> None:
    with pytest.raises(JsonRpcException, match="currentDocument") as caught:
        await editor.search("in:here basket", **params)
    assert caught.value.code == -32602


async def test_the_scope_of_open_documents_includes_unsaved_text(editor: Editor) -> None:
    path = "shop/basket.py"
    assert (await editor.search("in:open"))["results"] == []
    text = Path(editor.root, path).read_text("utf-8")
    editor.open(path, text.replace("Sum up what everything costs.", "Add up the whole bill."))
    try:
        assert {hit["path"] for hit in (await editor.search("in:open"))["results"]} == {path}
        (hit,) = (await editor.search('"the whole bill" in:open'))["results"]
        assert "Add up the whole bill." in hit["snippet"]["text"]
        assert (await editor.search('"Sum up what everything"'))["results"] == []
    finally:
        editor.close(path)
    assert (await editor.search('"the whole bill"'))["results"] == []


async def test_the_changed_scope_outside_a_repository_is_an_error(editor: Editor) -> None:
    with pytest.raises(JsonRpcException, match="needs a git repository") as caught:
        await editor.search("in:changed basket")
    assert caught.value.code == -32602
