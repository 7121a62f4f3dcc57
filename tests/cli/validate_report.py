"""Validates each line of some reports against docs/report.schema.json.

    validate_report.py SCHEMA REPORT...

Prints one line a report: "valid", or the first line that is not, and why.
"""

import json
import sys

import jsonschema


def verdict(validator: jsonschema.Draft202012Validator, report_file: str) -> str:
    with open(report_file, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(line)))
            if error is not None:
                return f"line {number}: {error.message}".replace("\n", " ")[:500]
    return "valid"


def main() -> None:
    schema_file, *report_files = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for report_file in report_files:
        print(verdict(validator, report_file))


if __name__ == "__main__":
    main()
