from trajmatch.reading import Ids


def test_an_id_that_comes_again_with_another_name_is_another():
    ids = Ids()
    assert [ids.of("1", name) for name in ("a", "a", None, "b", "a", "b")] == ["1", "1", "1", "1 (b)", "1", "1 (b)"]
    assert ids.shared


def test_an_id_with_one_name_is_not_shared():
    ids = Ids()
    assert [ids.of("1", None), ids.of("1", "a"), ids.of("2", "a")] == ["1", "1", "2"]
    assert not ids.shared
