#!/usr/bin/env python3
"""Man pages from the help of the command, so that there is one text of each option.

Usage: man_pages.py COMMAND FOLDER

Writes tocsin.1 and tocsin-CHECK.1 ... into FOLDER: a page for the command, and one for each of its commands.
"""

import pathlib
import re
import subprocess
import sys

ENTRY = re.compile(r"  (\S.*?)(?:  +(\S.*))?$")


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def option(left):
    """`-h,--help`, `--to HOST:PORT (required)`: names bold, the value in italics."""
    names, _, value = left.partition(" ")
    return "\\fB" + escaped(names) + "\\fR" + (" \\fI" + escaped(value) + "\\fR" if value else "")


def entries(lines):
    """Options and commands: a name, and a text that goes on below it."""
    out, text = [], []
    for line in lines:
        if line.startswith("   "):
            text.append(line.strip())
            continue
        if out and text:
            out.append(escaped(" ".join(text)))
        match = ENTRY.match(line)
        if not match:
            raise SystemExit(f"not an option: {line!r}")
        out += [".TP", option(match[1])]
        text = [match[2]] if match[2] else []
    if text:
        out.append(escaped(" ".join(text)))
    return out


def footer(lines):
    """Paragraphs; lines that begin with a blank stay as they are."""
    out, verbatim = [], False
    for line in lines:
        if line.startswith("  ") != verbatim and line:
            verbatim = not verbatim
            out.append(".nf" if verbatim else ".fi")
        out.append(escaped(line) if line else ".PP")
    return out + [".fi"] * verbatim


def page(name, text, version):
    lines = text.rstrip("\n").split("\n")
    usage = next(i for i, line in enumerate(lines) if line.startswith("Usage:"))
    purpose = " ".join(line.strip() for line in lines[:usage] if line.strip())
    out = [f'.TH {name.upper()} 1 "" "Tocsin {version}" "Tocsin"', ".SH NAME",
           f"{escaped(name)} \\- {escaped(purpose.rstrip('.'))}", ".SH SYNOPSIS", escaped(lines[usage][len("Usage: "):])]
    title, body = None, []

    def close():
        if title is None:
            return
        out.append(".SH " + escaped(title.upper()))
        out.extend(entries(body) if title not in ("Examples", "Exit status", "Notes") else footer(body))

    for line in lines[usage + 1:]:
        heading = re.match(r"([A-Z][A-Za-z' ]*):(?: (.*))?$", line)
        if heading and (not heading[2] or heading[1] == "Exit status"):
            close()
            title, body = heading[1], [heading[2]] if heading[2] else []
        elif title != "Notes" and title != "Exit status" and line and not line.startswith(" "):
            close()
            title, body = "Notes", [line]
        elif line or title in ("Examples", "Notes", "Exit status"):
            body.append(line)
    close()
    return "\n".join(out) + "\n"


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)

    def told(*arguments):
        return subprocess.run([command, *arguments], check=True, capture_output=True, text=True).stdout

    version = told("--version").split()[1]
    top = told("--help")
    (folder / "tocsin.1").write_text(page("tocsin", top, version))
    block = top.split("\nSubcommands:\n")[1].split("\n\n")[0]
    for name in re.findall(r"^  (\S+)", block, re.MULTILINE):
        if name.startswith(" "):
            continue
        (folder / f"tocsin-{name}.1").write_text(page(f"tocsin-{name}", told(name, "--help"), version))


main()
