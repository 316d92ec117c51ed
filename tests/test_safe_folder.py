"""Folders and files that nobody else could have written: each thing that makes them unsafe, by itself."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from asymp.sample import safe_folder
from asymp.sample.safe_folder import Unsafe, opened, read, write

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners of files on this system")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root alone can give files away")
NOBODY = 65534


@pytest.fixture
def base(tmp_path) -> Path:
    """A folder of ours, by its true name."""
    return tmp_path.resolve()


def names(path: Path) -> list[str]:
    """What the opened folder holds."""
    with opened(path) as here:
        return sorted(os.listdir(here))


def test_a_folder_is_made_for_us_alone(base):
    before = os.umask(0)
    try:
        assert names(base / "a" / "b") == []
        assert names(base / "a" / "__pycache__" / "c") == []
    finally:
        os.umask(before)
    modes = {p.relative_to(base).as_posix(): stat.S_IMODE(p.stat().st_mode) for p in base.rglob("*")}
    assert modes == {"a": 0o700, "a/b": 0o700, "a/__pycache__": 0o755, "a/__pycache__/c": 0o700}


def test_content_comes_back_and_is_replaced_whole(base):
    with opened(base / "kept") as here:
        write(here, "one", b"first")
        write(here, "one", b"second")
        assert read(here, "one") == b"second"
        with pytest.raises(FileNotFoundError):
            read(here, "two")
    (path,) = (base / "kept").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_could_not_be_written_leaves_nothing(base, monkeypatch):
    with opened(base / "kept") as here:
        write(here, "one", b"first")

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(safe_folder.os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            write(here, "one", b"second")
        assert os.listdir(here) == ["one"] and read(here, "one") == b"first"


@pytest.mark.parametrize("path", ["kept", "~/.cache", "./kept", ""])
def test_relative_paths(path, base, monkeypatch):
    monkeypatch.chdir(base)
    with pytest.raises(Unsafe, match="not an absolute path"):
        names(Path(path))
    assert list(base.iterdir()) == []


def test_a_way_up(base):
    with pytest.raises(Unsafe, match="not an absolute path"):
        names(base / "kept" / ".." / "kept")


@pytest.mark.parametrize("mode", [0o755, 0o711, 0o770, 0o701, 0o704, 0o710, 0o740, 0o1777, 0o777])
def test_a_folder_that_is_not_0700(mode, base):
    (base / "kept").mkdir()
    (base / "kept").chmod(mode)
    with pytest.raises(Unsafe, match=r"open to others|may be written by others"):
        names(base / "kept")
    (base / "kept").chmod(0o700)
    assert names(base / "kept") == []


@pytest.mark.parametrize(("mode", "safe"), [(0o755, True), (0o711, True), (0o1777, True), (0o775, False), (0o757, False)])
def test_folders_above(mode, safe, base):
    (base / "above" / "kept").mkdir(parents=True, mode=0o700)
    (base / "above").chmod(mode)
    if safe:
        assert names(base / "above" / "kept") == []
    else:
        with pytest.raises(Unsafe, match=r"above in .* may be written by others"):
            names(base / "above" / "kept")


def test_the_root_folder_counts(base, monkeypatch):
    root, asked = os.stat("/"), os.fstat

    def fstat(handle: int) -> os.stat_result:
        found = asked(handle)
        if (found.st_dev, found.st_ino) != (root.st_dev, root.st_ino):
            return found
        return os.stat_result((stat.S_IFDIR | 0o777, *tuple(found)[1:]))

    monkeypatch.setattr(safe_folder.os, "fstat", fstat)
    with pytest.raises(Unsafe, match=r"^/ may be written"):
        names(base / "kept")


def test_a_file_in_the_way(base):
    (base / "kept").write_text("")
    with pytest.raises(NotADirectoryError):
        names(base / "kept")
    with pytest.raises(NotADirectoryError):
        names(base / "kept" / "below")


@as_root
def test_folders_of_another(base):
    (base / "theirs" / "kept").mkdir(parents=True, mode=0o700)
    for path in (base / "theirs" / "kept", base / "theirs"):
        os.chown(path, NOBODY, NOBODY)
        with pytest.raises(Unsafe, match="belongs to somebody else"):
            names(base / "theirs" / "kept")
        os.chown(path, 0, 0)
    assert names(base / "theirs" / "kept") == []


def test_roots_folder_is_not_ours_unless_we_are_root(base, monkeypatch):
    """Folders above may be root's, the folder itself must be ours."""
    (base / "kept").mkdir(mode=0o700)
    asked = os.fstat
    last = (base / "kept").stat().st_ino

    def fstat(handle: int) -> os.stat_result:
        found = tuple(asked(handle))
        return os.stat_result((*found[:4], 0 if found[1] == last else 4711, *found[5:])) if found[1] in (
            last, base.stat().st_ino) else os.stat_result((*found[:4], 0, *found[5:]))  # fmt: skip

    monkeypatch.setattr(safe_folder.os, "geteuid", lambda: 4711)
    monkeypatch.setattr(safe_folder.os, "fstat", fstat)
    with pytest.raises(Unsafe, match="open to others"):
        names(base / "kept")


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["real", "./real", "x/../real", "absolute"])
def test_links_of_ours_are_followed(target, base):
    (base / "real" / "kept").mkdir(parents=True)
    (base / "real" / "kept").chmod(0o700)
    (base / "x").mkdir()
    (base / "real" / "kept" / "here").write_text("")
    (base / "link").symlink_to(base / "real" if target == "absolute" else target)
    assert names(base / "link" / "kept") == ["here"]


def test_where_a_link_leads_is_checked_as_well(base):
    (base / "open" / "kept").mkdir(parents=True, mode=0o700)
    (base / "open").chmod(0o777)
    (base / "link").symlink_to("open/kept")
    with pytest.raises(Unsafe, match=r"open in .* may be written by others"):
        names(base / "link")


def test_links_in_a_ring(base):
    (base / "one").symlink_to("two")
    (base / "two").symlink_to("one")
    with pytest.raises(Unsafe, match="too many symbolic links"):
        names(base / "one")


@pytest.mark.parametrize("count", [safe_folder.LINKS, safe_folder.LINKS + 1])
def test_as_many_links_as_the_system_follows(count, base):
    (base / "0").mkdir(mode=0o700)
    for i in range(count):
        (base / str(i + 1)).symlink_to(str(i))
    if count == safe_folder.LINKS:
        assert names(base / str(count)) == []
    else:
        with pytest.raises(Unsafe, match="too many"):
            names(base / str(count))


@as_root
def test_links_of_another(base):
    (base / "kept").mkdir(mode=0o700)
    (base / "link").symlink_to("kept")
    assert names(base / "link") == []
    os.chown(base / "link", NOBODY, NOBODY, follow_symlinks=False)
    with pytest.raises(Unsafe, match="the link link belongs to somebody else"):
        names(base / "link")


# --- files ------------------------------------------------------------------------------------------------------------


def one(base: Path) -> Path:
    """A file that can be read."""
    with opened(base / "kept") as here:
        write(here, "one", b"content")
    return base / "kept" / "one"


def refused(base: Path) -> None:
    with opened(base / "kept") as here, pytest.raises((Unsafe, OSError)):
        read(here, "one")


@pytest.mark.parametrize(("mode", "safe"), [(0o600, True), (0o644, True), (0o400, True), (0o660, False), (0o602, False)])
def test_the_mode_of_a_file(mode, safe, base):
    one(base).chmod(mode)
    if safe:
        with opened(base / "kept") as here:
            assert read(here, "one") == b"content"
    else:
        refused(base)


def test_a_file_of_two_names(base):
    os.link(one(base), base / "other")
    refused(base)


def test_a_link_to_a_file(base):
    path = one(base)
    path.rename(base / "other")
    path.symlink_to(base / "other")
    refused(base)


def test_no_file(base):
    path = one(base)
    path.unlink()
    os.mkfifo(path)
    refused(base)  # and does not wait
    path.unlink()
    path.mkdir()
    refused(base)


@as_root
def test_a_file_of_another(base):
    os.chown(one(base), NOBODY, NOBODY)
    refused(base)


@pytest.mark.parametrize("most", [6, 7])
def test_a_large_file(most, base, monkeypatch):
    one(base)
    monkeypatch.setattr(safe_folder, "MOST_BYTES", most)
    if most < 7:
        refused(base)
    else:
        with opened(base / "kept") as here:
            assert read(here, "one") == b"content"


def test_handles_are_closed(base):
    """Whatever happens on the way."""
    one(base)
    (base / "link").symlink_to(base / "kept")
    (base / "kept" / "open").mkdir()
    (base / "kept" / "open").chmod(0o777)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert names(base / "link") == ["one", "open"]
    for path in (base / "kept" / "open", base / "kept" / "one", base / "link" / "open" / "x"):
        with pytest.raises(OSError):
            names(path)
    refused_name = base / "kept" / "one"
    refused_name.chmod(0o666)
    refused(base)
    refused_name.unlink()
    refused_name.mkdir()
    refused(base)
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before


def test_a_system_without_owners(base, monkeypatch):
    monkeypatch.setattr(safe_folder, "available", lambda: False)
    with pytest.raises(Unsafe, match="no owners"):
        names(base / "kept")


@pytest.mark.parametrize("missing", ["geteuid", "O_NOFOLLOW", "supports_dir_fd"])
def test_what_a_system_needs(missing, monkeypatch):
    if os.path.isdir("/proc/self/fd"):  # Linux has it all
        assert safe_folder.available() is True
    monkeypatch.setattr(os, "supports_dir_fd", set()) if missing == "supports_dir_fd" else monkeypatch.delattr(os, missing)
    assert safe_folder.available() is False
