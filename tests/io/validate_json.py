"""Validates JSON files against a JSON Schema.

    validate_json.py SCHEMA FILE...

Prints one line a file: "valid", or what is wrong with it.
"""

import json
import sys

import jsonschema


def main() -> None:
    schema_file, *files = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name in files:
        with open(name, encoding="utf-8") as file:
            error = jsonschema.exceptions.best_match(validator.iter_errors(json.load(file)))
        cause = "" if error is None else f"{error.json_path}: {error.message}"
        print(cause.replace("\n", " ")[:500] or "valid")


if __name__ == "__main__":
    main()
