"""Plays games for another process, in whatever mode the environment asks for: interpreted, or with bounds checking.

    python -m brocante.testing

answers requests, one a line: see `Elsewhere` in trace.py.
"""

import base64
import importlib
import json
import pickle
import sys
import warnings
from typing import Any

from brocante.testing.trace import trace


def answer_requests() -> None:
    warnings.simplefilter("error")
    for line in sys.stdin:
        request = json.loads(line)
        try:
            box = importlib.import_module(request["package"]).BOX
            options = pickle.loads(base64.b64decode(request["options"]))
            reply: dict[str, Any] = {"prints": trace(box, options, request["seed"], request["most"])}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


answer_requests()
