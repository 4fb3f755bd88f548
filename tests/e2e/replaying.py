"""`stream-deid replay` with the hashing processor of the tests, for runs that are killed."""

from __future__ import annotations

import argparse
import sys

from hashing import open_processor

from stream_deid import config
from stream_deid.cli import service
from stream_deid.errors import DeidError
from stream_deid.exits import status_of
from stream_deid.streaming.replay import command
from stream_deid.streaming.replay.arguments import job_of


async def opened(settings: config.Settings):
    return open_processor(settings)


def main() -> int:
    parser = argparse.ArgumentParser()
    service._replay(parser.add_subparsers())
    job = job_of(parser.parse_args(["replay", *sys.argv[1:]]))
    try:
        return command.main(config.load(), job, opened)
    except DeidError as error:
        sys.stderr.write(f"{error}\n")
        return status_of(error)


if __name__ == "__main__":
    sys.exit(main())
