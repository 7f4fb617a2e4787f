"""Authors, addresses, dates and sentences in large type are no headings."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.read.blocks.bylines import is_no_heading


@pytest.mark.parametrize(
    "text",
    [
        "Patrick N.J. Lane a,c,*, Alice E. Best b,c,d, Klaus Hickel b,c, Lu Zhang b,c",
        "Vladimir Karpukhin∗, Barlas Oğuz∗, Sewon Min†, Patrick Lewis, Ledell Wu, Danqi Chen‡, Wen-tau Yih",
        "Jingfeng Yang Aditya Gupta† Shyam Upadhyay† Luheng He† Rahul Goel† Shachi Paul †",
        "Peter C. Kulakosky⁸, Allyson M. Haislip⁴ and Christopher M. Bishop¹¹,¹²",
        "Kola O. Odeku",
        "Zejiang Shen, Ruochen Zhang, Benjamin C. G. Lee and Melissa Dell",
        "Ludwig van Beethoven, Vincent W. van Gogh and Walter von der Vogelweide",
        "October 14, 1998",
        "14. Oktober 1998",
        "14 de octubre de 1998",
        "2024-05-17",
        "someone@example.org",
        "Contact: first.last@example.org",
        "www.example.com",
        "example.com/books",
        "5966 La Place Court, Suite 100",
        "Carlsbad, CA 92008 www.example.com",
        "P.O. Box 137, Heidelberg, Victoria 3084, Australia",
        "xxiii",
        "and",
        "You do not need to print and submit these guidelines with your form.",
        "The maker certifies that as of the date of this certificate the product that is listed below is certified as follows:",
        "The youngest of them all was reported to be fourteen (see Table 1).¹³",
    ],
)
def test_these_are_no_headings(text: str) -> None:
    assert is_no_heading(text, bold=False)


@pytest.mark.parametrize(
    "text",
    [
        "The Response of Flow Duration Curves to Afforestation",
        "Recruitment, Test Administration, and Quality Assurance",
        "Gifts to Schools, School Coordinators, and Students",
        "Instrument Format, Instructions, and Training",
        "Appendix A. Methods",
        "Part B. Details",
        "Titre I. Dispositions",
        "Teil A. Einleitung",
        "Hepatitis B. Vaccination",
        "2 The Constitutional Court",
        "12 The Hard Drive",
        "5 Time and Place, Manner and Style",
        "Node.js/Express",
        "Data.gov",
        "1. Introduction",
        "2.1. Characterisation of flow regime",
        "Annual Report 2011",
        "Summary by Received Date 07/01/2015 - 03/25/2016",
        "What is New in 2024",
        "Who were the subjects?",
        "Washington, DC",
        "100 Years of Solitude",
        "Civil",
        "This application is made up of four parts:",
        "第一节 重要提示",
        "Costs and Benefits",
        "Law Enforcement, Public Safety and Civil Defence",
        "Maps*",
        "Annual Results and Financial Position†",
        "Employee Benefits (see Section 3.)",
        "Law Enforcement Investigation",
    ],
)
def test_these_may_be_headings(text: str) -> None:
    assert not is_no_heading(text, bold=False)


def test_a_date_in_bold_type_may_head_a_part() -> None:
    assert not is_no_heading("October 14, 1998", bold=True)


@given(st.text(alphabet="AaBb. ,*†-¹@/x1'", max_size=300))
def test_any_text_is_answered(text: str) -> None:
    is_no_heading(text, bold=False)


@pytest.mark.parametrize("piece", ["Aa ", "Aa, ", "A.", "A. ", "Aa Bb, ", "Aa Bb*, ", "Aa Bb* ", "1 Aa ", "de ", "Aa-", "Aa a,b "])
def test_long_texts_cost_little(piece: str) -> None:
    start = time.process_time()
    is_no_heading(piece * 100 + "!", bold=False)
    assert time.process_time() - start < 0.5  # a pattern that tries all splits takes minutes
