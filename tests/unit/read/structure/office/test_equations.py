"""Office equations as LaTeX."""

import pytest

from streams.read.structure.office.equations import latex
from streams.read.structure.office.package import parse_xml
from tests.unit.read.structure.office.making import SPACES


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(text: str, tag: str = "e") -> str:
    return f"<m:{tag}>{r(text)}</m:{tag}>"


def sign(kind: str, name: str, value: str) -> str:
    return f'<m:{kind}Pr><m:{name} m:val="{value}"/></m:{kind}Pr>'


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (r("x+1"), "x+1"),
        (f"<m:f>{e('a', 'num')}{e('b', 'den')}</m:f>", r"\frac{a}{b}"),
        (f"<m:f>{sign('f', 'type', 'noBar')}{e('n', 'num')}{e('k', 'den')}</m:f>", r"\genfrac{}{}{0pt}{}{n}{k}"),
        (f"<m:d><m:e><m:f>{sign('f', 'type', 'noBar')}{e('n', 'num')}{e('k', 'den')}</m:f></m:e></m:d>", r"\binom{n}{k}"),
        (f"<m:sSup><m:e><m:f>{e('x', 'num')}{e('v', 'den')}</m:f></m:e>{e('2', 'sup')}</m:sSup>", r"{\frac{x}{v}}^{2}"),
        (f"<m:sSup><m:e><m:d>{e('x')}</m:d></m:e>{e('2', 'sup')}</m:sSup>", r"\left(x\right)^{2}"),
        (f"<m:limLow>{e('argmax')}{e('n', 'lim')}</m:limLow>", r"\operatorname*{argmax}_{n}"),
        (f"{r('2π')}{r('r')}", r"2\pi r"),
        (r("𝑓(𝑥)≤𝐀ℝ"), r"f(x)\leq\mathbf{A}\mathbb{R}"),
        ('<m:r><m:rPr><m:scr m:val="double-struck"/></m:rPr><m:t>R</m:t></m:r>', r"\mathbb{R}"),
        ('<m:r><m:rPr><m:sty m:val="b"/></m:rPr><m:t>v</m:t></m:r>', r"\mathbf{v}"),
        (r("x – y"), "x - y"),
        (f"{r('ln')}{r('x')}", r"\ln x"),
        (f"<m:eqArr>{e('a=b#(1)')}</m:eqArr>", r"a=b\tag{1}"),
        (
            f"<m:eqArr>{e('a&=b'.replace('&', '&amp;'))}{e('c&=d#(2)'.replace('&', '&amp;'))}</m:eqArr>",
            r"\begin{aligned}a&=b \\ c&=d\qquad\text{2}\end{aligned}",
        ),
        (r("a group of them"), r"\text{a group of them}"),
        ("<m:r><m:rPr><m:nor/></m:rPr><m:t>if x_1</m:t></m:r>", r"\text{if x\_1}"),
        (f"<m:nary>{sign('nary', 'chr', '∯')}{e('t')}</m:nary>", r"\oiint t"),
        (f"<m:rad><m:deg/>{e('x')}</m:rad>", r"\sqrt{x}"),
        (f"<m:rad>{e('3', 'deg')}{e('x')}</m:rad>", r"\sqrt[3]{x}"),
        (f"<m:sSubSup>{e('x')}{e('i', 'sub')}{e('2', 'sup')}</m:sSubSup>", "x_{i}^{2}"),
        (f"<m:sSup>{e('a+b')}{e('2', 'sup')}</m:sSup>", "{a+b}^{2}"),
        (f"<m:nary>{sign('nary', 'chr', '∑')}{e('i=1', 'sub')}{e('n', 'sup')}{e('i')}</m:nary>", r"\sum_{i=1}^{n} i"),
        (f"<m:nary>{e('0', 'sub')}{e('1', 'sup')}{e('f')}</m:nary>", r"\int_{0}^{1} f"),
        (f"<m:d>{e('x')}</m:d>", r"\left(x\right)"),
        (f'<m:d><m:dPr><m:begChr m:val="{{"/><m:endChr m:val=""/></m:dPr>{e("x")}</m:d>', r"\left\{x\right."),
        (f"<m:func>{e('sin', 'fName')}{e('x')}</m:func>", r"\sin x"),
        (f"<m:func><m:fName><m:limLow>{e('lim')}{e('n', 'lim')}</m:limLow></m:fName>{e('x')}</m:func>", r"\lim_{n} x"),
        (f"<m:acc>{sign('acc', 'chr', chr(0x304))}{e('x')}</m:acc>", r"\bar{x}"),
        (f"<m:m><m:mr>{e('a')}{e('b')}</m:mr><m:mr>{e('c')}{e('d')}</m:mr></m:m>", r"\begin{matrix}a & b \\ c & d\end{matrix}"),
        (r("50% {x}"), r"50\% \{x\}"),
        (f"<m:unknown>{r('kept')}</m:unknown>", "kept"),
        (f"<m:box>{e('y')}</m:box>", "y"),
    ],
)
def test_structure_becomes_commands(inside: str, text: str) -> None:
    assert latex(parse_xml(f"<m:oMath {SPACES}>{inside}</m:oMath>".encode())) == text
