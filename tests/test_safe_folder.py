"""A folder that nobody else could have written in: each thing that makes it unsafe, by itself."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from asymp.sample import compiler
from asymp.sample.compiler import trusted

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners of files on this system")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root alone can give files away")
NOBODY = 65534


@pytest.fixture
def base(tmp_path) -> Path:
    """A folder of ours, by its true name."""
    return tmp_path.resolve()


@pytest.fixture
def kept(base) -> Path:
    """A folder that is safe, with a file in a folder of its own."""
    place = base / "above" / "own" / "kept"
    place.mkdir(parents=True)
    for one in (place, *place.parents[:2]):
        one.chmod(0o700)
    (place / "inner").mkdir()
    (place / "inner" / "one").write_bytes(b"content.")
    assert trusted(place)
    return place


@pytest.mark.parametrize("mode", [0o755, 0o711, 0o770, 0o701, 0o704, 0o710, 0o740, 0o1777, 0o777])
def test_a_folder_that_is_not_0700(mode, kept):
    for place in (kept, kept.parent):
        place.chmod(mode)
        assert not trusted(kept)
        place.chmod(0o700)
    assert trusted(kept)


@pytest.mark.parametrize(("mode", "safe"), [(0o755, True), (0o711, True), (0o1777, True), (0o775, False), (0o757, False)])
def test_folders_above(mode, safe, kept):
    kept.parents[1].chmod(mode)
    assert trusted(kept) is safe


def test_the_root_folder_counts(kept, monkeypatch):
    asked = os.lstat

    def lstat(path: object) -> os.stat_result:
        found = asked(path)
        return os.stat_result((stat.S_IFDIR | 0o777, *tuple(found)[1:])) if os.fspath(path) == "/" else found

    monkeypatch.setattr(compiler.os, "lstat", lstat)
    assert not trusted(kept)


@as_root
def test_folders_of_another(kept):
    for path in (kept, kept.parent, kept.parents[1], kept / "inner", kept / "inner" / "one"):
        os.chown(path, NOBODY, NOBODY)
        assert not trusted(kept)
        os.chown(path, 0, 0)
    assert trusted(kept)


def test_roots_folder_is_not_ours_unless_we_are_root(kept, monkeypatch):
    """Folders above may be root's, the folder itself must be ours."""
    asked = os.lstat
    ours = {kept.parent, kept, kept / "inner", kept / "inner" / "one"}

    def lstat(path: object) -> os.stat_result:
        found = tuple(asked(path))
        return os.stat_result((*found[:4], 4711 if Path(os.fspath(path)) in ours else 0, *found[5:]))

    monkeypatch.setattr(compiler.os, "geteuid", lambda: 4711)
    monkeypatch.setattr(compiler.os, "lstat", lstat)
    assert trusted(kept)
    for one in list(ours):
        ours.remove(one)
        assert not trusted(kept)
        ours.add(one)


def test_links(kept, base):
    """``folder`` asks of the path without links; a link at its end, or in the folder, is not followed."""
    (base / "link").symlink_to(kept)
    assert not trusted(base / "link")
    (kept / "inner" / "two").symlink_to(kept / "inner" / "one")
    assert not trusted(kept)


@pytest.mark.parametrize(("mode", "safe"), [(0o600, True), (0o644, True), (0o664, True), (0o602, False), (0o666, False)])
def test_the_mode_of_a_file(mode, safe, kept):
    (kept / "inner" / "one").chmod(mode)
    assert trusted(kept) is safe


def test_an_inner_folder_that_all_may_write_in(kept):
    (kept / "inner").chmod(0o777)
    assert not trusted(kept)


def test_a_file_of_two_names(kept, base):
    os.link(kept / "inner" / "one", base / "other")
    assert not trusted(kept)


def test_no_file(kept):
    os.mkfifo(kept / "inner" / "pipe")
    assert not trusted(kept)  # and does not wait


@pytest.mark.parametrize("content", [b"", b"content"])
def test_a_file_that_was_cut_off_is_removed(content, kept):
    (kept / "inner" / "one").write_bytes(content)
    assert trusted(kept)
    assert list((kept / "inner").iterdir()) == []


def test_where_links_lead_is_what_is_asked(base, monkeypatch):
    """A link of ours to a folder is followed; whether it is safe is asked of the folder."""
    (base / "real").mkdir(mode=0o700)
    (base / "link").symlink_to("real")
    monkeypatch.setattr(compiler, "bases", lambda: [base / "link"])
    found = compiler.folder()
    assert found is not None and found.is_relative_to(base / "real")
    (base / "real").chmod(0o777)
    assert compiler.folder() is None


def test_links_in_a_ring(base, monkeypatch):
    (base / "one").symlink_to("two")
    (base / "two").symlink_to("one")
    monkeypatch.setattr(compiler, "bases", lambda: [base / "one"])
    assert compiler.folder() is None


def test_a_system_without_owners(monkeypatch):
    monkeypatch.delattr(os, "geteuid")
    assert compiler.folder() is None
