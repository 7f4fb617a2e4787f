"""MathML as LaTeX."""

import pytest

from streams.read.structure.markup.mathml import is_display, to_latex
from streams.read.structure.markup.tree import parse_xml


def latex(inner: str, attributes: str = "") -> str:
    return to_latex(parse_xml(f'<math xmlns="http://www.w3.org/1998/Math/MathML" {attributes}>{inner}</math>'.encode()))


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        ("<mi>x</mi><mo>=</mo><mn>2</mn>", "x = 2"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", r"\frac{a}{b + 1}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>", r"\sum_{i = 1}^{n}i"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", r"\sqrt{a + b}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mi>α</mi><mi>β</mi>", r"\alpha\beta"),
        ("<mi>π</mi><mi>r</mi>", r"\pi r"),
        ("<mi>sin</mi><mi>x</mi>", r"\sin x"),
        ("<mi>speed</mi>", r"\mathrm{speed}"),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if}x"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", r"\hat{x}"),
        ("<mfenced open='[' close=']'><mi>a</mi><mi>b</mi></mfenced>", "[a, b]"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
            r"\begin{matrix}1 & 2 \\ 3\end{matrix}",
        ),
        ("<mo>{</mo><mi>x</mi><mo>}</mo>", r"\{x\}"),
        ("<semantics><mi>x</mi><annotation-xml><ci>y</ci></annotation-xml></semantics>", "x"),
        ("<semantics><mi>x</mi><annotation encoding='application/x-tex'>{\\displaystyle \\xi }</annotation></semantics>", r"\xi"),
        ("<unknown><mi>x</mi></unknown>", "x"),
        ("", ""),
    ],
)
def test_elements_are_written_as_latex(inner: str, wanted: str) -> None:
    assert latex(inner) == wanted


def test_missing_parts_are_empty_and_depth_is_bounded() -> None:
    assert latex("<mfrac><mi>a</mi></mfrac>") == r"\frac{a}{}"
    assert latex("<msup/>") == "^{}"
    assert "x" in latex("<mrow>" * 150 + "<mi>x</mi>" + "</mrow>" * 150)


def test_a_block_says_so() -> None:
    assert is_display(parse_xml(b'<math display="block"/>'))
    assert not is_display(parse_xml(b"<math/>"))
