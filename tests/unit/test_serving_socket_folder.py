"""A socket's path is an address of 107 bytes at most, whatever `TMPDIR` is."""

import stat
import tempfile

import pytest

from stream_deid.serving.local.socket_folder import socket_folder


@pytest.mark.parametrize("letters", [1, 60, 200])
def test_a_socket_in_it_can_be_an_address(tmp_path, monkeypatch, letters):
    named = tmp_path / ("t" * letters)
    named.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(named))
    made = socket_folder()
    try:
        assert len(f"{made}/triton:1".encode()) <= 107
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
        fits = len(f"{named}/{made.name}/triton:1".encode()) <= 107
        assert (made.parent == named) == fits
        assert not list(named.iterdir()) or made.parent == named
    finally:
        made.rmdir()
