"""What a process says of errors that nobody takes: no word of a note, whoever raised them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import stream_deid
from stream_deid import processor, unsaid
from stream_deid.config import declare
from stream_deid.streaming.observability import logs

CANARY = "Quillfeather"
PROGRAM = """
import asyncio, concurrent.futures, functools, gc, logging, sys, threading, warnings
from stream_deid import ending

NAME = "Quill" + "feather"

def broken(*_):
    raise ValueError(f"can't take {NAME}")

class Lookout(threading.Thread):
    def run(self):
        broken()

def thread():
    one = threading.Thread(target=broken, name="records")
    one.start()
    one.join()

def own_thread():
    one = Lookout()
    one.start()
    one.join()

def timer():
    one = threading.Timer(0, broken)
    one.start()
    one.join()

def destructor():
    class Held:
        __del__ = broken
        __repr__ = lambda _: NAME
    Held()
    gc.collect()

def future():
    one = concurrent.futures.Future()
    one.add_done_callback(broken)
    one.set_result(NAME)

def task():
    async def lost():
        broken()
    async def run():
        asyncio.get_running_loop().create_task(lost(), name=NAME)
        await asyncio.sleep(0)
    asyncio.run(run())
    gc.collect()

def loop_callback():
    async def run():
        asyncio.get_running_loop().call_soon(functools.partial(broken, NAME))
        await asyncio.sleep(0)
    asyncio.run(run())

def log():
    logging.getLogger("library").warning("can't take %s", NAME)

def broken_log():
    logging.getLogger("library").warning("can't take %d", NAME)

def end():
    broken()

def forked():
    import multiprocessing
    one = multiprocessing.get_context("fork").Process(target=thread)
    one.start()
    one.join()

def go():
    globals()[sys.argv[1]]()
    return 0

ending.as_process(go)
"""
KIND = "ValueError at <string>:"


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("thread", f"defect: {KIND}8 in a thread (records)"),
        ("own_thread", f"defect: {KIND}8 in a thread (Thread-1)"),
        ("timer", f"defect: {KIND}8 in a thread (Thread-1)"),
        ("destructor", f"defect: {KIND}8 in a callback"),
        ("future", "error of concurrent.futures at "),
        ("task", "error of asyncio at "),
        ("loop_callback", "error of asyncio at "),
        ("log", "warning of library at "),
        ("broken_log", "warning of library at "),
        ("end", "defect: ValueError at stream_deid/ending.py:"),
        ("forked", f"defect: {KIND}8 in a thread (records)"),
    ],
)
def test_an_error_that_nobody_takes_is_told_by_kind_and_place(case, told):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, case], capture_output=True, text=True, check=False
    )
    assert CANARY not in ran.stdout + ran.stderr
    assert told in ran.stderr
    assert (ran.returncode == 0) == (case != "end")


def test_every_room_tells_a_place_in_one_form():
    """Dead letters, logs, the command line and what Python says by itself: folder, file, line."""
    error = raised(lambda: declare.environment_name(None))
    place = unsaid.place(error.__traceback__)
    frames = logs.describe(error)[0]["frames"]
    assert processor.failed("begin", error).detail == f"begin: AttributeError at {place}"
    assert frames[-1] == f"{place} environment_name"
    assert re.fullmatch(r"config/declare\.py:\d+", place)
    rooms = Path(stream_deid.__file__).parent.rglob("*.py")
    assert [one.name for one in rooms if "extract_tb" in one.read_text()] == ["unsaid.py"]


def test_a_library_in_a_folder_of_our_name_is_no_place_of_ours():
    code = compile("def fail(call):\n    call()\n", "/srv/stream_deid/lib/library.py", "exec")
    exec(code, library := {})  # noqa: S102 - the line above
    error = raised(lambda: library["fail"](lambda: declare.environment_name(None)))
    assert unsaid.place(error.__traceback__).startswith("config/declare.py:")
    error = raised(lambda: declare.value_of(library, "fail"))
    assert unsaid.place(error.__traceback__).startswith("config/declare.py:")
    error = raised(lambda: library["fail"](None))
    assert unsaid.place(error.__traceback__) == "lib/library.py:2"


def raised(call):
    try:
        call()
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    raise AssertionError
