"""`python -m stream_deid.cli`, as the console script."""

from stream_deid.cli import main

raise SystemExit(main())
