"""Files in: JSON, a value a line, YAML."""

import io
import math
import sys

import pytest

from trajmatch import ConversionError, OptionError, load, match

READ = {
    "an object.json": ('{"a": [1, 2.5, null]}', {"a": [1, 2.5, None]}),
    "a big integer.json": ("[123456789012345678901234567890]", [123456789012345678901234567890]),
    "a key twice.json": ('{"a": 1, "a": 2}', {"a": 2}),
    "a lone surrogate.json": (r'"\ud800"', "\ud800"),
    "a mark of the byte order.json": (b"\xef\xbb\xbf[1]", [1]),
    "utf-16.json": ('["ü"]'.encode("utf-16"), ["ü"]),
    "A LOUD SUFFIX.JSON": ("[1]", [1]),
    "lines.jsonl": ('{"a": 1}\n\n[2]\r\n', [{"a": 1}, [2]]),
    "lines.ndjson": ("1\n2", [1, 2]),
    "a line separator in text.jsonl": ('"\u2028"\n"\x85"', ["\u2028", "\x85"]),
    "calls.yaml": ("- search\n- name: book\n  args: {day: 1}", ["search", {"name": "book", "args": {"day": 1}}]),
    "words.yml": ("[true, False, ~, null, NULL]", [True, False, None, None, None]),
    "an empty value.yaml": ("a:", {"a": None}),
    "words that are text.yaml": ("[yes, no, on, Off, y, tRue]", ["yes", "no", "on", "Off", "y", "tRue"]),
    "dates are text.yaml": ("[2026-03-01, 2026-03-01 10:00:00, 12:30]", ["2026-03-01", "2026-03-01 10:00:00", "12:30"]),
    "integers.yaml": ("[1, -2, +3, 012, 0x1f, 0o17]", [1, -2, 3, 12, 31, 15]),
    "no integers.yaml": ("[1_000, 0b1, 1-2]", ["1_000", "0b1", "1-2"]),
    "numbers.yaml": ("[1.5, .5, 1., 1e3, -1.5E-1, .inf, -.INF]", [1.5, 0.5, 1.0, 1000.0, -0.15, math.inf, -math.inf]),
    "text in quotes.yaml": ('["1", \'true\', "~"]', ["1", "true", "~"]),
    "keys are text.yaml": ('{1: a, true: b, 2026-03: c, "<<": d}', {"1": "a", "true": "b", "2026-03": "c", "<<": "d"}),
    "aliases.yaml": ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    "a tag of JSON.yaml": ("!!str 1", "1"),
    "a block of text.yaml": ("|\n  a\n  b\n", "a\nb\n"),
}

MANY = "\n".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}' if i else 'x'] * 10)}]" for i in range(9))
DIGITS = "Exceeds the limit (4300 digits) for integer string conversion"
REFUSED = {
    "not closed.json": ("[1,\n2", "line 2, column 2: no JSON: Expecting ',' delimiter"),
    "two values.json": ("[1]\n[2]", "Extra data; with a JSON value on each line, it is of the kind jsonl"),
    "too deep.json": ("[" * 200_000, "it is nested too deep, or holds itself"),
    "too deep.jsonl": ("[" * 200_000, "it is nested too deep, or holds itself"),
    "too deep.yaml": ("[" * 20_000, "it is nested too deep, or holds itself"),
    "too many digits.json": ("1" * 5_000, DIGITS),
    "too many digits.jsonl": ("1\n" + "1" * 5_000, f"line 2: {DIGITS}"),
    "too many digits.yaml": ("- 1\n- " + "1" * 5_000, f"line 2: {DIGITS}"),
    "binary.json": (b"\x89PNG\r\n", "it is no text: 'utf-8' codec can't decode byte 0x89"),
    "empty.json": (" \n", "it is empty; an agent that did nothing is []"),
    "empty.jsonl": ("", "it is empty; an agent that did nothing is []"),
    "comments.yaml": ("# nothing", "it is empty; an agent that did nothing is []"),
    "a bad line.jsonl": ('{"a": 1}\n\n{"b"', "line 3, column 5: no JSON: Expecting ':' delimiter"),
    "not closed.yaml": ("a: 1\nb: [1", "line 2: while parsing a flow sequence; expected ',' or ']'"),
    "several documents.yaml": ("a\n---\nb", "line 2: it holds several documents; keep one, or write a list"),
    "a control character.yaml": ("a: 1\nb: \x07", r"line 2: the character '\x07' must not stand in YAML"),
    "an object of Python.yaml": ("!!python/object:os.system x", "the tag 'tag:yaml.org,2002:python/object:os.system'"),
    "bytes.yaml": ("a: 1\nb: !!binary aGk=", "line 2: the tag 'tag:yaml.org,2002:binary' has no JSON form"),
    "a set.yaml": ("!!set {a, b}", "has no JSON form; write the value without it"),
    "a list as a map.yaml": ("!!map [a]", "has no JSON form"),
    "a wrong number.yaml": ("!!int x", "line 1: invalid literal for int()"),
    "a list as a key.yaml": ("? [a]\n: 1", "line 1: a key is text"),
    "a merge.yaml": ("a: &x {b: 1}\nc:\n  <<: *x", "line 3: the merge key '<<' is not read; write the keys out"),
    "holds itself.yaml": ("&a [*a]", "it is nested too deep, or holds itself"),
    "too many values.yaml": (MANY, "with its aliases it stands for more than 1,000,000 values"),
    "a suffix.txt": ("[1]", "its suffix '.txt' is not known; name it '.json', '.jsonl'"),
    "no suffix": ("[1]", "its suffix '' is not known"),
}


def _written(folder, name, content):
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(("name", "content", "value"), [(n, *row) for n, row in READ.items()], ids=READ)
def test_a_file_gives_what_it_holds(tmp_path, name, content, value):
    found = load(_written(tmp_path, name, content))
    assert (found, repr(found)) == (value, repr(value))


@pytest.mark.parametrize("name", ["nan.json", "nan.jsonl", "nan.yaml"])
def test_nan_is_read(tmp_path, name):
    assert "nan" in repr(load(_written(tmp_path, name, ".nan" if name.endswith("yaml") else "NaN")))


@pytest.mark.parametrize(("name", "content", "text"), [(n, *row) for n, row in REFUSED.items()], ids=REFUSED)
def test_an_error_names_the_file_the_line_and_the_fix(tmp_path, name, content, text):
    file = _written(tmp_path, name, content)
    with pytest.raises(ConversionError) as caught:
        load(str(file))
    assert str(caught.value).startswith(f"{file}: ")
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("", "it is a directory; name a file in it"),
        ("none.json", "none.json: it cannot be read: No such file or directory"),
        ("none", "none: it cannot be read: No such file or directory"),
        ("a\0\u202e.json", r"a\x00\u202e.json: embedded null byte"),
    ],
)
def test_a_path_that_leads_to_no_file_is_an_error(tmp_path, path, text):
    with pytest.raises(ConversionError) as caught:
        load(f"{tmp_path}/{path}")
    assert text in str(caught.value)


@pytest.mark.parametrize("given", [None, 3, [1], b"a.json"])
def test_what_is_no_path_is_an_error(given):
    with pytest.raises(ConversionError, match="load takes a path or an open file, got "):
        load(given)


def test_the_kind_may_be_said(tmp_path):
    assert load(_written(tmp_path, "run.log", "1\n2"), kind="jsonl") == [1, 2]


def test_an_unknown_kind_is_an_error():
    with pytest.raises(OptionError, match="kind: 'jsn' is none; there are 'json', 'jsonl', 'yaml'"):
        load("run.json", kind="jsn")


@pytest.mark.parametrize(
    ("text", "value"), [('{"a": 1}', {"a": 1}), ("1\n2\n", [1, 2]), ('{\n"a": 1\n}', {"a": 1})], ids=repr
)
def test_an_open_file_without_a_suffix_is_json_or_json_by_lines(text, value):
    assert load(io.StringIO(text)) == load(io.BytesIO(text.encode())) == value


@pytest.mark.parametrize("text", ["nope", "[1,", "1\n["])
def test_an_open_file_that_is_neither_is_an_error(text):
    with pytest.raises(ConversionError, match=r"the open file: line \d, column \d: no JSON"):
        load(io.StringIO(text))


def test_an_open_file_with_a_suffix_is_read_by_it(tmp_path):
    with open(_written(tmp_path, "a.yaml", "a: b"), encoding="utf-8") as file:
        assert load(file) == {"a": "b"}


def test_yaml_without_its_reader_names_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "trajmatch._yaml", raising=False)
    with pytest.raises(ConversionError, match=r"install it: pip install 'trajmatch\[cli\]'"):
        load(_written(tmp_path, "a.yaml", "a: b"))


def test_what_is_loaded_goes_into_a_match(tmp_path):
    run = _written(tmp_path, "run.json", '[{"name": "search", "arguments": {"day": "2026-03-01"}}]')
    expected = _written(tmp_path, "expected.yaml", "- name: search\n  arguments: {day: 2026-03-01}")
    assert match(load(run), load(expected)).passed
