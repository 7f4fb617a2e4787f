"""Sound text that unusual words fill: what repeats itself, subjects with rare characters of their own, and text that stands in for text."""

import random
import textwrap

import pytest

from streams.read.language.letter_pairs import codes_of, pair_costs
from streams.read.language.likelihood import SEPARATOR, unlikelihood_once, without_repeats
from streams.read.language.strangeness import judge_words
from tests.unit.read.made_pages import Sheet, verdict_of

LABORATORY = (
    "白细胞计数 中性粒细胞百分比 淋巴细胞绝对值 单核细胞计数 嗜酸性粒细胞百分比 红细胞压积 血红蛋白浓度 "
    "血小板平均体积 凝血酶原时间 尿酸 肌酐 总胆固醇 甘油三酯 谷丙转氨酶 碱性磷酸酶 检验方法 参考范围 仪器法 "
    "送检科室 临床诊断 抗凝血样本 采样时间 报告医师 审核"
)
ACCOUNTS = (
    "連結貸借対照表 流動資産 現金及び預金 受取手形及び売掛金 棚卸資産 繰延税金資産 貸倒引当金 有形固定資産 減価償却累計額 無形固定資産 投資有価証券 "
    "資産合計 支払手形及び買掛金 短期借入金 未払法人税等 賞与引当金 社債 長期借入金 退職給付に係る負債 資本剰余金 利益剰余金 自己株式 純資産合計"
)


def rare_share(text: str) -> float:
    found = judge_words(codes_of(text), pair_costs(codes_of(text)))
    return found.share(found.rare)


@pytest.mark.parametrize("text", [LABORATORY, ACCOUNTS], ids=["laboratory", "accounts"])
def test_terms_of_a_subject_are_words(text: str) -> None:
    assert rare_share(text) < 0.02


@pytest.mark.parametrize("text", [LABORATORY, ACCOUNTS], ids=["laboratory", "accounts"])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_characters_interchanged_are_none(text: str, seed: int) -> None:
    letters = sorted(set(text) - {" "})
    mixed = letters.copy()
    random.Random(seed).shuffle(mixed)
    assert rare_share(text.translate(dict(zip(map(ord, letters), mixed, strict=True)))) > 0.5


def test_a_list_that_repeats_odd_names_is_sound() -> None:
    """Contents of a manual of commands: three odd words, thirty times."""
    titles = ["Overview", "Basics", "Summary", "Overpayment", "Freeze", "History", "Refund", "Balance", "Penalty", "Interest", "Employer", "Notice"]
    rows = [f"2.3.{row} Command Code BMFOLX XCRWQT {titles[row % 12]} of the {titles[row % 7]} {row}" for row in range(36)]
    assert rare_share("\n".join(rows)) > 0.1
    assert verdict_of(Sheet().write(rows).done()).confidence > 0.9


def test_text_that_stands_in_for_text_is_sound() -> None:
    lorem = (
        "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut labore et dolore magna aliquyam erat, "
        "sed diam voluptua. At vero eos et accusam et justo duo dolores et ea rebum. Stet clita kasd gubergren, no sea takimata sanctus est. "
    )
    assert verdict_of(Sheet().write(textwrap.wrap(lorem * 6, 80)).done()).confidence > 0.9


def test_repeats_are_taken_once_whatever_stands_at_them() -> None:
    assert without_repeats("GmbH, GmbH 12 GmbH13\uffffGmbH").split(SEPARATOR) == ["GmbH", "12"]
    assert unlikelihood_once("xqzjk wvkqx " * 40) == 1.0  # too few to judge: whoever asked keeps what it had
