"""Validates JSON against a JSON Schema.

    validate_json.py SCHEMA FILE...            each file is one value
    validate_json.py --lines SCHEMA FILE...    each line of each file is one

Prints one line a file: "valid", or what is wrong with it.
"""

import json
import sys

import jsonschema


def fault(validator: jsonschema.Draft202012Validator, text: str) -> str:
    error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(text)))
    return "" if error is None else f"{error.json_path}: {error.message}"


def verdict(validator: jsonschema.Draft202012Validator, name: str, by_line: bool) -> str:
    with open(name, encoding="utf-8") as file:
        if not by_line:
            return fault(validator, file.read())
        for number, line in enumerate(file, 1):
            if found := fault(validator, line):
                return f"line {number}: {found}"
    return ""


def main() -> None:
    by_line = sys.argv[1] == "--lines"
    schema_file, *names = sys.argv[2 if by_line else 1 :]
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name in names:
        print(verdict(validator, name, by_line).replace("\n", " ")[:500] or "valid")


if __name__ == "__main__":
    main()
