# ruff: noqa
"""Changes the clock and other settings of the whole machine."""

import os
import time

attempt("clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
attempt("scheduler", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
attempt("priority of others", lambda: os.setpriority(os.PRIO_PROCESS, TARGET["host_process"], 19))
