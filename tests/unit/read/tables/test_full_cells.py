"""Which cells of a last row are full to their end."""

from drawn_tables import PAGE, ends_at, grid_lines, in_cells

from streams.read.tables import find_tables

XS = [60.0, 160.0, 300.0]
YS = [100.0, 120.0, 170.0]


def full(note: str, value: str = "12") -> tuple[int, ...]:
    page = [*in_cells(XS, YS, [["Item", "Note"], ["Rent", note]]), *ends_at(158, 104, "Sum")]
    page = [*page, *(ends_at(158, 140, value) if value else [])]
    (found,) = find_tables(page, grid_lines(XS, YS), PAGE)
    return found.table.full_cells


def test_a_line_that_fills_its_cell_may_run_on() -> None:
    assert full("paid at the beginning of|every month in which we have") == (1,)
    assert full("paid at the beginning of|every month") == ()


def test_numbers_fill_no_cell() -> None:
    assert full("short", value="1,200,345.00") == ()


def test_an_indent_makes_no_cell_full() -> None:
    """A cell whose text stands far from its left edge, and ends far from its right one."""
    page = [*in_cells(XS, YS, [["Item", ""], ["Rent", ""]]), *ends_at(290, 104, "Note"), *ends_at(262, 140, "paid")]
    (found,) = find_tables(page, grid_lines(XS, YS), PAGE)
    assert found.table.full_cells == ()
