"""What the README says of how well it works is what docs/models.md says."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SHARED = 6  # rows of the README's table


def rows(page: str) -> dict[str, list[str]]:
    """Cells by the first one, of all tables of three columns."""
    found = {}
    for line in (ROOT / page).read_text("utf-8").splitlines():
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3:
            found[cells[0]] = cells[1:]
    return found


def test_the_figures_of_the_readme_are_those_of_the_page_that_it_sends_one_to():
    short, whole = rows("README.md"), rows("docs/models.md")
    both = {name for name in short if name.startswith(("served", "patterns", "every identifier"))}
    assert len(both) == SHARED
    assert {name: short[name] for name in both} == {name: whole.get(name) for name in both}


def test_what_the_papers_page_says_of_the_default_is_what_the_readme_says():
    readme = {name: cells[0] for name, cells in rows("README.md").items()}
    held, plain, noisy = (
        next(cell for name, cell in readme.items() if name.startswith(f"served, {notes}"))
        for notes in ("held-out notes", "development notes", "development texts that suffered")
    )
    page = [
        [cell.strip(" *") for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs/papers.md").read_text("utf-8").splitlines()
        if line.startswith("|")
    ]
    group_b = {first: rest for first, *rest in page if first.startswith("ours, as it serves")}
    assert [cells[1] for cells in group_b.values()] == [held, plain, noisy]
    default = [rest for first, *rest in page if first in ("default", "default, `bert_en` 9")]
    assert [plain in rest for rest in default] == [True] * 3
    assert [noisy in rest for rest in default] == [True, True, False]  # the last is of cost
