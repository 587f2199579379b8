# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a run has computed what it should."""

from behaviour.comparison import comparable, difference


def what_is_wrong(program, status, output, expected):
    """A sentence, or None.  `output` and `expected`, what the original says, are texts."""
    verify = program.verify
    if status != 0:
        return f"exit status {status}"
    if verify.text is not None and verify.text not in output:
        return f"expected '{verify.text}' in its output"
    if verify.same_output and expected is not None:
        lines = [comparable(each, verify.ignore) for each in (expected, output)]
        return difference("output", *lines, verify.tolerance)
    return None
