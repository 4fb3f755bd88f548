"""What the supervisor sweeps: its own prefix, what no living process holds, left processes."""

import mmap
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from stream_deid.serving.local.supervisor import seal, sweep, sweep_orphans


def make(folder, name, age=1000.0):
    path = folder / name
    path.write_bytes(b"\0" * 4096)
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_only_the_own_prefix_is_swept(tmp_path):
    mine, other = make(tmp_path, "stream_deid_1_a"), make(tmp_path, "stream_deid_12_b")
    assert sweep("stream_deid_1_", tmp_path) == 1
    assert not mine.exists()
    assert other.exists()


def test_orphans_go_and_what_lives_or_is_young_stays(tmp_path):
    orphan, held = make(tmp_path, "stream_deid_1_a"), make(tmp_path, "stream_deid_2_b")
    young = make(tmp_path, "stream_deid_3_c", age=0.0)
    foreign = make(tmp_path, "triton_python_backend_shm_region_9")
    with held.open("r+b") as file, mmap.mmap(file.fileno(), 0):
        assert sweep_orphans("stream_deid_", tmp_path) == 1
    assert not orphan.exists()
    assert held.exists()
    assert young.exists()
    assert foreign.exists()


def test_regions_are_closed_to_others_where_the_memory_is_shared(tmp_path):
    region, other = make(tmp_path, "stream_deid_1_a"), make(tmp_path, "somebody_elses")
    region.chmod(0o644)
    other.chmod(0o644)
    assert seal("stream_deid_1_", tmp_path) == 1
    assert region.stat().st_mode & 0o777 == 0o600
    assert other.stat().st_mode & 0o777 == 0o644
    assert seal("stream_deid_1_", tmp_path) == 0


def test_processes_of_a_killed_server_go_with_it(tmp_path):
    child = tmp_path / "child"
    server = f"sleep 300 & echo $! > {child}; kill -9 $$"
    command = [sys.executable, "-m", "stream_deid.serving.local.supervisor", str(tmp_path), "0"]
    run = subprocess.run(
        [*command, "stream_deid_test_", "none", "--", "bash", "-c", server],
        stdin=(pipe := os.pipe())[0], check=False, timeout=60,
    )  # fmt: skip
    os.close(pipe[1])
    assert run.returncode == 128 + signal.SIGKILL
    stat = Path(f"/proc/{child.read_text().strip()}/stat")
    deadline = time.monotonic() + 10
    while stat.exists() and " Z " not in stat.read_text():  # nobody may be there to reap it
        assert time.monotonic() < deadline
