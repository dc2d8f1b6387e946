"""The site: it builds without a warning, holds every page and public name, and needs no other host."""

import re
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from urllib.parse import unquote, urlsplit

import pytest
import yaml

import trajmatch
import trajmatch_adapters

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SAID = re.compile(r"Build started|No issues found|Build finished in [\d.]+m?s|")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
ABROAD = re.compile(r"(?:https?:)?//")
LOADED_BY_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")
NOT_FOR_PYTHON = {"trajmatch.errors", "trajmatch_adapters.cli"}
"""The names of the first are those of `trajmatch`, too; the second is a command."""


def public_modules(package):
    names = [module.name for module in walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in names if not re.search(r"\._", name) and name not in NOT_FOR_PYTHON]


MODULES = ["trajmatch", *public_modules(trajmatch), *public_modules(trajmatch_adapters)]


def leaves(nav):
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [leaf for part in parts for leaf in leaves(part)]


class Page(HTMLParser):
    """The ids, the links and what is loaded of a page."""

    def __init__(self, file):
        super().__init__()
        self.tags, self.ids, self.links, self.loaded = set(), {""}, set(), set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.add(tag)
        self.ids.add(found.get("id", ""))
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        if tag in LOADED and LOADED[tag] in found:
            self.loaded.add(found[LOADED[tag]])


@pytest.fixture(scope="session")
def pages(site):
    return {file: Page(file) for file in site.pages.rglob("*.html")}


def test_the_site_builds_without_a_warning(site):
    assert [line for line in site.said.splitlines() if not SAID.fullmatch(line)] == []


FAULTS = {
    "a page that is not there": "[a](nowhere.md)",
    "a heading that is not there": "[a](concepts.md#nowhere)",
    "a name that is not there": "::: trajmatch.nowhere",
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_a_page_stops_the_build(copied, fault):
    with (copied.sources / "docs" / "tau2.md").open("a", encoding="utf-8") as page:
        page.write(f"\n{fault}\n")
    assert copied.build() != 0, copied.said


def test_every_page_is_once_in_the_navigation():
    listed = leaves(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_its_entry_from_the_docstrings(pages, module):
    shown = {name for page in pages.values() for name in page.ids}
    named = {f"{module}.{name}" for name in getattr(import_module(module), "__all__", ())}
    assert named - shown - {*MODULES, "trajmatch.__version__"} == set()


def test_the_examples_and_lists_of_docstrings_are_not_run_together(pages):
    for file, page in pages.items():
        if file.parent.name == "api":
            assert "blockquote" not in page.tags, file
            assert not re.search(r"<p>[^<]*\n- ", file.read_text(encoding="utf-8")), file


def leads_somewhere(pages, file, link):
    parts = urlsplit(link)
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    return bool(parts.scheme) or (
        target.is_file() and (target not in pages or unquote(parts.fragment) in pages[target].ids)
    )


def test_every_link_of_the_site_leads_somewhere(pages):
    links = {(file, link) for file, page in pages.items() for link in page.links | page.loaded}
    broken = [(file.name, link) for file, link in links if not leads_somewhere(pages, file, link)]
    assert [place for place in broken if place[0] != "404.html"] == []  # which is shown at any address


def test_no_page_loads_anything_from_another_host(pages):
    assert {(file.name, url) for file, page in pages.items() for url in page.loaded if ABROAD.match(url)} == set()


def test_no_style_loads_anything_from_another_host(site):
    sheets = {sheet.name: sheet.read_text(encoding="utf-8") for sheet in site.pages.rglob("*.css")}
    assert "site.css" in sheets
    assert [name for name, text in sheets.items() if LOADED_BY_STYLES.search(text)] == []
