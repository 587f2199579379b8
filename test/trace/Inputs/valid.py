"""Checks JSON files against a schema, in which every name must be known. Says what they are."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
for path in sys.argv[2:]:
    found = json.loads(pathlib.Path(path).read_text())
    unknown = set(found) - set(schema["properties"])
    if unknown:
        sys.exit(f"{path}: not in the schema: {unknown}")
    if jsonschema:
        jsonschema.validate(found, schema)
    verdicts = len(found["verdicts"]) if "verdicts" in found else "no"
    print(f"{path}: version {found['mai_trace']}, {verdicts} verdicts")
