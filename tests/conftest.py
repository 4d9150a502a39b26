"""What every test starts from.

A parent may have had us ignore Ctrl+C (`nohup make test &`, a shell's background job), and what a test
starts would ignore it as well. So it is heard here as in the foreground, and by every child.
"""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
