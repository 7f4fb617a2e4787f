"""What parsed documents are worth, against the truth of a corpus: one table of measures, and by name what is wrong.

`python -m tests.bench.quality --corpus DIR --out DIR` scores the outputs in `files`, `icdar2013` and `olmocr_sample/pdfs` below --out: JSON with the
Markdown beside it, or the Markdown of another parser alone (`name.pdf.md`). What is missing there is parsed first, unless --no-parse is given.
ICDAR files are parsed with `--no-join-tables`: their truth keeps the tables of each page apart.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.bench.measures import FOLDERS, Measure, measures

PARSE_TIMEOUT_S = 3_600
"""For one folder of the corpus; a pipeline that hangs must not hang the benchmark."""


def parse_missing(corpus: Path, out: Path, mode: str) -> None:
    """Parses each folder of the corpus that has no outputs yet. Raises RuntimeError where the command itself fails."""
    for folder, switches in FOLDERS.items():
        source, target = corpus / folder, out / folder
        files = sorted(path for path in source.iterdir() if path.is_file() and path.suffix != ".xml") if source.is_dir() else []
        if not files:
            continue
        if target.is_dir():
            print(f"outputs of {folder} are there already, and are taken as they are", file=sys.stderr)
            continue
        print(f"parsing {len(files)} files of {folder}", file=sys.stderr)
        command = [sys.executable, "-m", "streams.start", "parse", *map(str, files), "--output", str(target), "--mode", mode, *switches]
        environment = {"PAGELOOM_DATA_DIR": str(out / "data"), **os.environ}
        done = subprocess.run(command, env=environment, check=False, timeout=PARSE_TIMEOUT_S)
        if done.returncode not in {0, 3}:  # 3: some of the documents failed, which is for the scorers to see
            raise RuntimeError(f"parsing {folder} ended with exit code {done.returncode}")


def print_table(found: list[Measure], *, named: int) -> None:
    """The measures as a table, then what each names."""
    width, values = (max((len(getattr(m, field)) for m in found), default=0) for field in ("name", "value"))
    for measure in found:
        verdict = "" if measure.holds is None else "holds" if measure.holds else "MISSED"
        print(f"{measure.name:<{width}}  {measure.value:<{values}}  {measure.goal:<16}  {verdict}".rstrip())
    for measure in found:
        for name in measure.wrong[:named]:
            print(f"  {measure.name}: {name}")
        if len(measure.wrong) > named:
            print(f"  {measure.name}: and {len(measure.wrong) - named} more")


def main() -> int:
    """The command line; exit code 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="folder with files, icdar2013, joined_tables, olmocr_sample, page_labels.tsv")
    parser.add_argument("--out", type=Path, required=True, help="folder of outputs")
    parser.add_argument("--mode", default="fast", help="of what is parsed here")
    parser.add_argument("--no-parse", action="store_true", help="score what is there alone")
    parser.add_argument("--named", type=int, default=12, help="how many errors of each measure are named")
    arguments = parser.parse_args()
    if not arguments.corpus.is_dir():
        print(f"there is no corpus at {arguments.corpus}: nothing was scored")
        return 0
    if not arguments.no_parse:
        parse_missing(arguments.corpus, arguments.out, arguments.mode)
    found = measures(arguments.corpus, arguments.out)
    print_table(found, named=arguments.named)
    return 1 if any(measure.holds is False for measure in found) else 0


if __name__ == "__main__":
    sys.exit(main())
