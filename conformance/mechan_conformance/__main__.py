"""`python -m mechan_conformance`, the same as `mechan-conformance`."""

import sys

from .command import main

sys.exit(main())
