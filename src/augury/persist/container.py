"""The container of a saved model: its members, their sizes and their checksums.

A model file is a zip archive of

- `manifest.json`: the name and version of this format, and the SHA-256 of the other members
- `metadata.json`: columns, classes and versions (`ModelMetadata`)
- `model.skops`: the model
- `reference.json`: statistics of the training rows (`augury.drift.Reference`), if they were saved

The checksums detect damage, not malice: the author of a hostile file writes its checksums too.
The limits of this module and the inspection of the model protect against hostile files.

Version 2 names augury's classes without their modules; see `trusted_types`. Files of version 1
are read as well. Version 3 is version 2 with `reference.json`.
"""

import io
import json
import os
import shutil
import struct
import zlib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from augury.persist.errors import ModelFileError
from augury.persist.json_text import JsonTextError, parse_json_text
from augury.persist.paths import open_regular_file, require_writable_place

FORMAT, VERSION = "augury model", 3
_VERSION_WITHOUT_REFERENCE = 2
MANIFEST, METADATA, MODEL = "manifest.json", "metadata.json", "model.skops"
REFERENCE = "reference.json"

DIRECTORY_BYTES = 1 << 16
MANIFEST_BYTES = 1 << 16
METADATA_BYTES = 1 << 26
REFERENCE_BYTES = 1 << 26
# Memory that the values of a JSON member may take.
TEXT_BYTES = 1 << 29
# A member that grows by more than that when it is decompressed, to more than a little, is
# a bomb. Models of many equal numbers do so too: `write_parts` stores them as they are.
RATIO, LITTLE = 100, 1 << 24

# The end of an archive without comment: signature, 2 disks, 2 numbers of entries, size of
# the list of members, …; before it, in archives beyond 4 GiB only, stands a locator.
_END = struct.Struct("<4sHHHHLLH")
_LOCATOR, _SMALL_ARCHIVE = 20, 1 << 32
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same model is to be the same bytes


@dataclass(frozen=True)
class Parts:
    """The members of a model file without the manifest."""

    metadata: bytes
    model: bytes
    reference: bytes | None = None


def write_parts(path: Path, parts: Parts) -> None:
    """Write a model file: all of it, or nothing."""
    contents = {METADATA: parts.metadata, MODEL: parts.model}
    version = _VERSION_WITHOUT_REFERENCE
    if parts.reference is not None:
        contents[REFERENCE], version = parts.reference, VERSION
    manifest = {
        "format": FORMAT,
        "version": version,
        "sha256": {name: _checksum(content) for name, content in contents.items()},
    }
    contents = {MANIFEST: json.dumps(manifest, indent=2).encode(), **contents}
    require_writable_place(path)
    path = path.resolve()  # the target of a link is replaced, not the link
    temporary = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        with temporary.open("xb") as file:
            with ZipFile(file, "w") as archive:
                for name, content in contents.items():
                    archive.writestr(ZipInfo(name, _LONG_AGO), content, _compression(content))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _compression(content: bytes) -> int:
    if len(content) > LITTLE and len(content) > RATIO * len(zlib.compress(content)):
        return ZIP_STORED
    return ZIP_DEFLATED


def _checksum(content: bytes) -> str:
    return sha256(content).hexdigest()


def read_parts(path: Path, *, max_bytes: int, with_model: bool = True) -> Parts:
    """Read a model file, or raise `ModelFileError`; nothing is decompressed before its limits.

    `max_bytes` is the memory that loading may take. The model is there twice for a while, as
    bytes and as what is made of them, so its bytes may be half of that. Without the model,
    only the metadata is read and checked.
    """
    limits = {
        MANIFEST: MANIFEST_BYTES,
        METADATA: METADATA_BYTES,
        MODEL: max_bytes // 2,
        REFERENCE: REFERENCE_BYTES,
    }
    with open_regular_file(path) as file:
        _check_shell(path, file)
        try:
            archive = ZipFile(file)
        except Exception as error:  # zipfile raises many kinds of errors
            raise _damaged(path, "its list of members cannot be read") from error
        with archive:
            manifest = _read_manifest(path, archive)
            members = [MANIFEST, *manifest]
            _check_members(path, archive, members, limits)
            wanted = members[1:] if with_model else [METADATA]
            contents = {name: _read_member(path, archive, name) for name in wanted}
    for name, content in contents.items():
        if _checksum(content) != manifest[name]:
            raise _damaged(path, f"{name} is not what its checksum says")
    return Parts(contents[METADATA], contents.get(MODEL, b""), contents.get(REFERENCE))


def _check_shell(path: Path, file: BinaryIO) -> None:
    """Look at the first and the last bytes, which tell an archive as small as ours."""
    head = file.read(4)
    size = file.seek(0, os.SEEK_END)
    if head[:1] == b"\x80":
        raise ModelFileError(
            f"{path}: is a pickle, which could run any program when it is loaded; it was not "
            "opened. augury reads what save_model or `augury fit` has written"
        )
    if head != b"PK\x03\x04":
        what = "is empty" if size == 0 else "is not a model file of augury"
        raise ModelFileError(
            f"{path}: {what}; augury reads what save_model or `augury fit` has written"
        )
    file.seek(max(0, size - _END.size - _LOCATOR))
    tail = file.read()
    if len(tail) < _END.size or tail[-_END.size :][:4] != b"PK\x05\x06":
        raise _damaged(path, "its end is not there")
    directory_bytes = _END.unpack(tail[-_END.size :])[5]
    # zipfile reads the list of members whole, and lets a record before the end overrule it.
    overruled = tail.startswith(b"PK\x06\x07") and size < _SMALL_ARCHIVE
    if directory_bytes > DIRECTORY_BYTES or overruled:
        raise ModelFileError(f"{path}: is an archive of many members, not a model file")
    file.seek(0)


def _read_manifest(path: Path, archive: ZipFile) -> dict[str, Any]:
    """Return the checksums, if it is a manifest that this version knows."""
    if MANIFEST not in archive.namelist():
        raise ModelFileError(
            f"{path}: is a zip archive, but not a model file of augury: it has no {MANIFEST}"
        )
    _check_member(path, archive.getinfo(MANIFEST), MANIFEST_BYTES)
    manifest = parse_json(path, MANIFEST, _read_member(path, archive, MANIFEST))
    if manifest.get("format") != FORMAT:
        raise ModelFileError(f"{path}: is not a model file of augury, as {MANIFEST} says")
    version = manifest.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _damaged(path, f"{MANIFEST} has no version")
    if version > VERSION:
        raise ModelFileError(
            f"{path}: has version {version} of the model format, this augury reads up to "
            f"{VERSION}: update augury, or fit the model again with this one"
        )
    checksums = manifest.get("sha256")
    wanted = [METADATA, MODEL, *([REFERENCE] if version > _VERSION_WITHOUT_REFERENCE else [])]
    if not isinstance(checksums, dict) or set(checksums) != set(wanted):
        raise _damaged(path, f"{MANIFEST} has no checksums")
    return {name: checksums[name] for name in wanted}


def _check_members(
    path: Path, archive: ZipFile, members: list[str], limits: dict[str, int]
) -> None:
    names = archive.namelist()
    if sorted(names) != sorted(members):
        odd = sorted(set(names) ^ set(members)) or names
        raise ModelFileError(
            f"{path}: must have the members {', '.join(members)} and no others; look at "
            f"{', '.join(map(repr, odd[:5]))}"
        )
    for name in members:
        _check_member(path, archive.getinfo(name), limits[name])


def _check_member(path: Path, member: ZipInfo, limit: int) -> None:
    name, size = member.filename, member.file_size
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or member.flag_bits & 1:
        raise _damaged(path, f"{name} is packed in a way that augury does not use")
    if size > limit:
        advice = ""
        if name == MODEL:
            advice = " Loading takes twice that; if you know where it is from, pass "
            advice = f"{advice}max_bytes={3 * size}"
        raise ModelFileError(
            f"{path}: {name} has {size:,} bytes when decompressed, more than the limit of "
            f"{limit:,}: it was not opened.{advice}"
        )
    if size > LITTLE and size > RATIO * member.compress_size:
        raise ModelFileError(
            f"{path}: {name} would grow from {member.compress_size:,} to {size:,} bytes, as no "
            "model does that augury writes: it was not decompressed"
        )


def _read_member(path: Path, archive: ZipFile, name: str) -> bytes:
    member = archive.getinfo(name)
    try:
        # zipfile's read() makes a second copy of a large member; this does not.
        buffer = io.BytesIO()
        with archive.open(member) as file:
            shutil.copyfileobj(file, buffer, 1 << 20)
        content = buffer.getvalue()
    # zipfile has no one error for what is wrong in an archive.
    except (BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise _damaged(path, f"{name} cannot be read ({error})") from error
    if len(content) != member.file_size:
        raise _damaged(path, f"{name} has not the size that is said")
    return content


def parse_json(path: Path, name: str, content: bytes) -> dict[str, Any]:
    """Return a member's JSON object."""
    try:
        parsed, _ = parse_json_text(content, TEXT_BYTES)
    except JsonTextError as error:
        raise _damaged(path, f"{name} is not JSON ({error})") from error
    if not isinstance(parsed, dict):
        raise _damaged(path, f"{name} is not a JSON object")
    return parsed


def _damaged(path: Path, what: str) -> ModelFileError:
    return ModelFileError(
        f"{path}: is damaged or cut off: {what}. Copy it anew, or fit the model again"
    )
