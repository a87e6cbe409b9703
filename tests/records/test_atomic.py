from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from records.privileges import reachable_folder, unprivileged

from hallumaze_kit.errors import FileError
from hallumaze_kit.records import BenchmarkResult, read_results, write_csv, write_json
from hallumaze_kit.records.atomic import write_whole, writing

ROOT = Path(__file__).parents[2]
RESULTS = [BenchmarkResult(provider="synthetic", sr=1.0)]


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "r.txt"
    write_whole(path, b"old")
    path.chmod(0o640)
    assert write_whole(path, b"new") == path
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["r.txt"]


def test_a_block_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "r.txt"
    write_whole(path, b"old")
    with pytest.raises(ZeroDivisionError), writing(path) as file:
        file.write(b"half of the new")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["r.txt"]


def test_new_files_have_the_rights_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    path = write_whole(tmp_path / "r.txt", b"")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_missing_folders_are_made_and_links_are_followed(tmp_path):
    path = write_whole(tmp_path / "results" / "today" / "r.txt", b"1")
    link = tmp_path / "latest"
    link.symlink_to(path)
    write_whole(link, b"2")
    assert link.is_symlink()
    assert path.read_bytes() == b"2"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("write", [write_json, write_csv])
def test_a_full_disk(tmp_path, monkeypatch, write, code):
    path = tmp_path / "r.out"
    path.write_bytes(b"old")

    def full(_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="the disk is full: free some space") as caught:
        write(RESULTS, path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["r.out"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of a file")
def test_a_real_limit_on_the_size_of_a_file(tmp_path):
    write_json(RESULTS, tmp_path / "r.json")
    script = f"""
        import resource, sys
        sys.path.insert(0, {str(ROOT)!r})
        from hallumaze_kit.records import BenchmarkResult, write_json
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        write_json([BenchmarkResult(provider="x", error="가" * 9000)], {str(tmp_path / "r.json")!r})
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "FileError" in run.stderr.splitlines()[-1]
    assert "the disk is full" in run.stderr.splitlines()[-1]
    assert read_results(tmp_path / "r.json") == RESULTS
    assert os.listdir(tmp_path) == ["r.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights on folders")
def test_a_folder_that_cannot_be_written():
    with reachable_folder() as folder:
        write_json(RESULTS, folder / "r.json")
        folder.chmod(0o555)
        with unprivileged():
            with pytest.raises(FileError, match="its folder does not allow it: choose a folder of your own"):
                write_json(RESULTS, folder / "r.json")
            assert read_results(folder / "r.json") == RESULTS
        assert os.listdir(folder) == ["r.json"]
        folder.chmod(0o755)


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="choose another file name or folder"):
        write_json(RESULTS, tmp_path / "file" / "r.json")
    with pytest.raises(FileError, match="choose another file name or folder"):
        write_json(RESULTS, tmp_path)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights on files")
def test_a_file_that_may_not_be_read():
    with reachable_folder() as folder:
        write_json(RESULTS, folder / "r.json").chmod(0)
        with unprivileged(), pytest.raises(FileError, match=r"cannot be read \(Permission denied\)"):
            read_results(folder / "r.json")
