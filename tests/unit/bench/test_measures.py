"""The measures of a corpus, on one made here: what is read from where, what is missed, and what is left out."""

import json
from pathlib import Path

import pymupdf
import pytest

from tests.bench import quality
from tests.bench.measures import has_good_layer, measures

CELLS = {(0, 0): "a", (0, 1): "b", (1, 0): "c", (1, 1): "d"}


def structure(cells: dict[tuple[int, int], str]) -> str:
    inner = "".join(f"<cell start-row='{y}' start-col='{x}'><content>{text}</content></cell>" for (y, x), text in cells.items())
    return f"<document><table id='1'><region page='1'>{inner}</region></table></document>"


def document(rows: list[list[str]], status: str = "extracted") -> dict[str, object]:
    table = {"rows": rows, "cells": []}
    block = {"type": "table", "text": "", "level": None, "regions": [{"page": 1}], "table": table}
    return {"blocks": [block], "pages": [{"number": 1, "status": status, "reasons": []}], "page_count": 1}


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    write(folder / "icdar2013/x-str.xml", structure(CELLS))
    write(folder / "files/a.pdf", "%PDF")
    write(folder / "files/b.pdf", "%PDF")
    write(folder / "page_labels.tsv", "file\tpage\texpected_confidence\na.pdf\t1\tlow\n")
    write(folder / "joined_tables/index.json", [{"csv": "a.csv", "file": "a.pdf"}])
    write(folder / "joined_tables/a.csv", "a,b\nc,d\n")
    return folder


def values(corpus: Path, out: Path) -> dict[str, tuple[str, bool | None]]:
    return {measure.name: (measure.value, measure.holds) for measure in measures(corpus, out)}


def test_all_is_right(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    right = document([["a", "b"], ["c", "d"]], status="recognized")
    write(out / "icdar2013/x.pdf.json", right)
    write(out / "files/a.pdf.json", right)
    write(out / "files/b.pdf.error.json", {})
    found = values(corpus, out)
    assert found["ICDAR-2013 cell F1"] == ("1.000 (precision 1.000, recall 1.000; 1 files)", True)
    assert found["bad pages found"] == ("1.000 of 1", True)
    assert found["joined tables exact"] == ("1 of 1", True)
    assert found["files with one outcome"] == ("2 of 2", True)
    assert not [name for name, (_, holds) in found.items() if holds is False]


def test_damage_shows_in_each_measure(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out / "icdar2013/x.pdf.json", document([["a", "b"], ["c", "x"]]))
    write(out / "files/a.pdf.json", document([["a", "b"], ["c", "x"]]))
    found = values(corpus, out)
    assert found["ICDAR-2013 cell F1"] == ("0.500 (precision 0.500, recall 0.500; 1 files)", False)
    assert found["bad pages found"] == ("0.000 of 1", False)
    assert found["joined tables exact"] == ("0 of 1", False)
    assert found["rows of joined tables exact"][0] == "0.500 of 2"
    assert found["files with one outcome"] == ("1 of 2", False)


def test_a_missing_output_is_a_table_missed(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "out/icdar2013").mkdir(parents=True)
    assert values(corpus, tmp_path / "out")["ICDAR-2013 cell F1"][1] is False


def test_a_parser_that_knows_no_pages_is_scored_by_its_markdown(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(out / "icdar2013/x.pdf.md", "| a | b |\n|---|---|\n| c | d |\n")
    write(out / "files/a.pdf.md", "| a | b |\n|---|---|\n| c | d |\n")
    found = values(corpus, out)
    assert found["ICDAR-2013 cell F1"][1] is True
    assert found["joined tables exact"][1] is True
    assert "bad pages found" not in found


def test_what_has_no_outputs_has_no_line(corpus: Path, tmp_path: Path) -> None:
    assert measures(corpus, tmp_path / "nothing") == []


def test_a_scan_with_hidden_text_has_no_good_layer(tmp_path: Path) -> None:
    text = "The wheel turns quietly, and the flour is finer than any that we had before the flood of that year. " * 3
    strip = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 8, 8), False)
    strip.clear_with(200)
    for name, shown, good in (("digital", (), True), ("scan", ((0, 0, 595, 400), (0, 400, 595, 842)), False), ("logo", ((0, 0, 100, 100),), True)):
        made = pymupdf.open()
        page = made.new_page()
        page.insert_textbox((50, 50, 500, 800), text)
        for box in shown:
            page.insert_image(box, pixmap=strip, keep_proportion=False)
        made.save(tmp_path / f"{name}.pdf")
        assert has_good_layer(tmp_path / f"{name}.pdf") is good, name
    assert not has_good_layer(tmp_path / "absent.pdf")


def test_without_a_corpus_the_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["quality", "--corpus", str(tmp_path / "none"), "--out", str(tmp_path)])
    assert quality.main() == 0
    assert "no corpus" in capsys.readouterr().out


def test_the_command_fails_where_a_goal_is_missed(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out/icdar2013/x.pdf.json", document([["a", "b"], ["c", "x"]]))
    monkeypatch.setattr("sys.argv", ["quality", "--corpus", str(corpus), "--out", str(tmp_path / "out"), "--no-parse"])
    assert quality.main() == 1
    shown = capsys.readouterr().out
    assert "MISSED" in shown
    assert "x.pdf: F1 0.500" in shown


def test_olmocr_tests_of_files_that_are_not_there_do_not_count(corpus: Path, tmp_path: Path) -> None:
    folder = corpus / "olmocr_sample"
    (folder / "pdfs").mkdir(parents=True)
    made = pymupdf.open()
    made.new_page().insert_textbox((50, 50, 500, 800), "The wheel turns quietly, and the flour is finer. " * 5)
    made.save(folder / "pdfs/here.pdf")
    facts = [{"pdf": f"x/{name}", "id": name, "page": 1, "type": "present", "text": "wheel turns"} for name in ("here.pdf", "gone.pdf")]
    write(folder / "tests.jsonl", "\n".join(json.dumps(fact) for fact in facts))
    write(tmp_path / "out/olmocr_sample/pdfs/here.pdf.md", "The **wheel** turns quietly")
    found = values(corpus, tmp_path / "out")
    assert found["olmOCR tests, 1 pages with a good text layer"] == ("1.000 (present 1/1)", True)
    assert found["olmOCR tests, all 1 pages"] == ("1.000 (present 1/1)", None)
