"""Whole texts that are data or a program and no prose: JSON, JSON lines, listings. Pure functions of strings; a bounded part of a text decides."""

import json
import re

SAMPLED_LINES = 400
MAX_PARSED = 8_000_000
"""Characters of one JSON value that is parsed to be sure; a longer one is told by its brackets."""
MIN_JSON_LINES = 0.9
"""Share of sampled lines that are a JSON object or list each: logs have a broken one now and then."""
MIN_SHARE, MIN_LINES, MIN_OPENERS = 0.6, 3, 2
"""Of a program's lines that look like one, at least so many, and of them lines that begin a part of it: prose about programs has few."""

_OPENER = re.compile(
    r"\s*(?:(?:async\s+)?def\s+\w+\s*\(|class\s+\w+.*[:{]$|(?:if|elif|for|while|with|try|else|except|switch|do)\b.*[:{]$"
    r"|import\s+[\w.{*]+|from\s+[\w.]+\s+import\s|#include\s|#!/|(?:export\s+)?function\s+\w+\s*\(|(?:pub\s+)?fn\s+\w+|func\s+\w+"
    r"|(?:public|private|static|namespace|package|using)\s.*[;{]$|[^.!?]*\{$)"
)
_LINE = re.compile(
    r"\s*(?:return\b|pass$|break;?$|continue;?$|raise\b|yield\b|print\(|@\w+|//|#|/\*|\*/|\"\"\"|'''|[\])}]+[,;]?$|(?:const|let|var)\s+\w"
    r"|[\w.\[\]\"']+\s*(?::\s*[\w.\[\], |]+)?\s*[-+*/|&^%]?=\s*\S|[\w.]+\(.*\)[,;:]?$|.*[;{}\[(]$|.*[=!<>]=\s|.*->)"
)


def is_source(text: str) -> bool:
    """Whether a text is JSON, a line of JSON after the other, or a program from end to end."""
    return _is_json(text) or _is_program(text)


def _is_json(text: str) -> bool:
    bare = text.strip()
    if bare[:1] not in ("{", "[") or bare[-1:] not in ("}", "]"):
        return False
    lines = [line for line in bare[:500_000].split("\n", SAMPLED_LINES)[:SAMPLED_LINES] if line.strip()]
    if len(lines) > 1 and sum(map(_is_value, lines)) >= MIN_JSON_LINES * len(lines):
        return True
    return _is_value(bare) if len(bare) <= MAX_PARSED else '":' in bare[:500_000] or "," in bare[:500_000]


def _is_value(text: str) -> bool:
    """Whether a text is one JSON object or list."""
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def _is_program(text: str) -> bool:
    lines = [line.rstrip() for line in text[:200_000].split("\n", SAMPLED_LINES)[:SAMPLED_LINES] if line.strip()]
    openers = [line for line in lines if _OPENER.match(line)]
    if len(lines) < MIN_LINES or len(openers) < MIN_OPENERS:
        return False
    alike = sum(_OPENER.match(line) is not None or _LINE.match(line) is not None for line in lines)
    return alike >= max(MIN_LINES, MIN_SHARE * len(lines))
