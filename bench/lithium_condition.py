"""Lets Lithium run an interestingness test that is a command: exit status 0 is interesting."""

import subprocess


def interesting(arguments, _prefix):
    return subprocess.call(arguments) == 0
