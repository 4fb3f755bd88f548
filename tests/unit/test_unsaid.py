"""What a process says of errors that nobody takes: no word of a note, whoever raised them."""

import subprocess
import sys

import pytest

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
        ("end", "defect: ValueError at ending.py:"),
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
