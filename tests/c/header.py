"""Reads include/tocsin/c/*.h: functions, structs, enums, handles; and binds a library by them (ctypes)."""

import ctypes
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BASIC = {
    "uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32, "uint64_t": ctypes.c_uint64, "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t, "double": ctypes.c_double, "float": ctypes.c_float,
}  # fmt: skip


class Header:
    """functions: name -> (result, [(type, name)]); structs: name -> [(type, name, length or 0)]; enums: name -> value."""

    def __init__(self):
        text = ""
        for file in sorted(glob.glob(os.path.join(ROOT, "include/tocsin/c/*.h"))):
            with open(file, encoding="utf-8") as opened:
                text += opened.read()
        text = re.sub(r"//[^\n]*", "", text)
        text = re.sub(r"(?m)^\s*#.*$", "", text)
        self.structs = {}
        for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.S):
            self.structs[name] = [field for line in body.split(";") for field in fields_of(line)]
        self.handles = re.findall(r"typedef struct \w+_s\* (\w+);", text)
        self.numbers = dict((new, old) for old, new in re.findall(r"typedef (u?int\d+_t) (\w+);", text))
        self.enums = {}
        for body in re.findall(r"enum \{(.*?)\};", text, re.S):
            for name, value in re.findall(r"(\w+) = (\d+)", body):
                self.enums[name] = int(value)
        self.functions = {}
        for result, name, arguments in re.findall(r"TOCSIN_API ([\w ]+\*?) ?(tocsin_\w+)\((.*?)\);", text, re.S):
            self.functions[name] = (result.strip(), arguments_of(arguments))

    def type_of(self, text):
        """A C type as ctypes has it."""
        text = text.replace("const ", "").strip()
        if text in BASIC:
            return BASIC[text]
        if text in self.numbers:
            return BASIC[self.numbers[text]]
        if text in self.handles or text == "void*" or text == "tocsin_sink":
            return ctypes.c_void_p
        if text == "char*":
            return ctypes.c_char_p
        return ctypes.c_void_p if text.endswith("*") else self.struct(text)

    def struct(self, name, made={}):
        """The struct as ctypes lays it out: as C does."""
        if name not in made:
            fields = [(field, self.type_of(kind) * length if length else self.type_of(kind))
                      for kind, field, length in self.structs[name]]  # fmt: skip
            made[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
        return made[name]

    def bind(self, file):
        library = ctypes.CDLL(file)
        for name, (result, arguments) in self.functions.items():
            function = getattr(library, name)
            function.restype = self.type_of(result)
            # A buffer of characters is written to: c_char_p would take the text only.
            function.argtypes = [ctypes.c_void_p if kind == "char*" else self.type_of(kind) for kind, _ in arguments]
        return library


def fields_of(line):
    line = " ".join(line.split())
    match = re.fullmatch(r"((?:const )?\w+(?: const)?\*?(?: ?(?:const)?\*)?) (.*)", line)
    if not match:
        return
    for name in match[2].split(","):
        length = re.search(r"\[(\d+)\]", name)
        yield match[1], re.match(r"\s*(\w+)", name)[1], int(length[1]) if length else 0


def arguments_of(text):
    text = " ".join(text.split())
    if text == "void":
        return []
    return [re.fullmatch(r"(.*?) ?(\w+)", argument.strip()).groups() for argument in text.split(",")]
