# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unpacks the kernel that a bzImage holds: an emulated machine takes seconds over it at each boot.

The offsets are those of Linux' boot protocol (Documentation/arch/x86/boot.rst).
"""

import struct
import subprocess
import sys

SETUP_SECTORS = 0x1F1
PAYLOAD = 0x248  # its offset behind the setup code, and its length
ELF = b"\x7fELF"

UNPACKERS = {
    b"\x02!L\x18": ["lz4", "-dc"],
    b"\x28\xb5\x2f\xfd": ["zstd", "-dcq"],
    b"\x1f\x8b": ["gzip", "-dc"],
    b"\xfd7zXZ\0": ["xz", "-dc", "--single-stream"],
}


def payload(image):
    """What is packed in an image, nothing where it is none."""
    if len(image) < PAYLOAD + 8:
        return b""
    offset, length = struct.unpack_from("<II", image, PAYLOAD)
    begin = ((image[SETUP_SECTORS] or 4) + 1) * 512 + offset
    return image[begin:begin + length]


def unpack(packed):
    """The kernel, or nothing where it is packed in a way that is not known."""
    for magic, command in UNPACKERS.items():
        if packed.startswith(magic):
            return output_of(command, packed)
    return b""


def output_of(unpacker, packed):
    # The kernel's length follows the packed kernel: the unpacker complains of it after its work.
    try:
        return subprocess.run(unpacker, input=packed, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False).stdout
    except FileNotFoundError:
        return b""


def main():
    source, target = sys.argv[1:]
    with open(source, "rb") as file:
        image = file.read()
    kernel = unpack(payload(image))
    with open(target, "wb") as file:
        file.write(kernel if kernel.startswith(ELF) else image)


if __name__ == "__main__":
    main()
