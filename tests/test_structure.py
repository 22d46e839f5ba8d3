"""The house is in order: the documents name the files that there are, games have the same files, and a public name
stands for one thing."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import brocante

PACKAGE = Path(brocante.__file__).parent
ARCHITECTURE = PACKAGE.parent / "docs" / "architecture.md"
#: A folder of the tree, with what it says of it on the lines below.
FOLDER = re.compile(r"^  (\w+)/ +(.*(?:\n {10,}.*)*)", re.MULTILINE)
#: Named for the command or the endpoint that they are.
NAMED_BY_OTHERS = ("cli/commands/", "server/http_handlers/")
#: What every game has; more is its own affair.
FILES_OF_A_GAME = {
    *("rules", "knowledge", "observation", "moves", "refusals", "chance_lines"),
    *("view", "prompts", "log", "faces", "awards", "greedy"),
}


def tree() -> dict[str, set[str]]:
    """The names in each folder, as the tree of the document lists them: below what the folder is for, or after it."""
    folders = FOLDER.findall(ARCHITECTURE.read_text("utf-8"))
    return {folder: names_in(text) for folder, text in folders}


def names_in(text: str) -> set[str]:
    first, _, below = re.sub(r"\(.*?\)", "", text, flags=re.DOTALL).partition("\n")
    listed = below or first.rpartition(": ")[2]
    return {name.strip() for name in listed.split("·")}


def contents(folder: str) -> set[str]:
    """The modules and folders that there are."""
    parts = [part for part in (PACKAGE / folder).iterdir() if not part.name.startswith(("_", "."))]
    modules = {part.stem for part in parts if part.suffix in (".py", ".js")}
    return modules | {f"{part.name}/" for part in parts if part.is_dir()}


def test_the_tree_names_the_folders() -> None:
    assert set(tree()) == {name.removesuffix("/") for name in contents(".") if name.endswith("/")}


@pytest.mark.parametrize("folder", [folder for folder in sorted(tree()) if contents(folder)])
def test_the_tree_names_the_files_of_a_folder(folder: str) -> None:
    assert tree()[folder] == contents(folder)


@pytest.mark.parametrize("slug", brocante.games.OWN_GAMES)
def test_games_have_the_same_files(slug: str) -> None:
    assert {file.stem for file in brocante.box(slug).folder.glob("*.py")} >= FILES_OF_A_GAME


def test_a_public_name_stands_for_one_thing() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for file in PACKAGE.rglob("*.py"):
        where = file.relative_to(PACKAGE).as_posix()
        if where.startswith(NAMED_BY_OTHERS) or (where.count("/") == 2 and where.startswith("games/")):
            continue  # games have words of their own
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                found[node.name].add(where)
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
