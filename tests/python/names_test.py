"""What is public has a docstring, and a type in the stub."""

import ast
import inspect
import pathlib

import tocsin
from tocsin import _tocsin

FOLDER = pathlib.Path(tocsin.__file__).parent


def stub_names():
    """Of each class of the stub its members; of the module ("") its functions and classes."""
    tree = ast.parse((FOLDER / "_tocsin.pyi").read_text())
    names = {"": set()}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names[""].add(node.name)
            names[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)} | {
                one.target.id for one in node.body if isinstance(one, ast.AnnAssign)
            }
        elif isinstance(node, ast.FunctionDef):
            names[""].add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names[""].add(node.target.id)
    return names


def is_ours(name):
    return not name.startswith("__") or name in ("__version__", "__len__", "__getitem__", "__iter__", "__bool__")


def test_the_stub_has_what_the_extension_has():
    stub = stub_names()
    module = {name for name in vars(_tocsin) if is_ours(name)}
    assert module == {name for name in stub[""] if is_ours(name)}
    for name in module:
        thing = getattr(_tocsin, name)
        if not inspect.isclass(thing) or issubclass(thing, Exception):
            continue
        members = {one for one in vars(thing) if is_ours(one)} - {"_pybind11_conduit_v1_"}
        assert members == {one for one in stub[name] if is_ours(one)}, name


def test_everything_public_has_a_docstring():
    for name in tocsin.__all__:
        thing = getattr(tocsin, name)
        if name != "CONTACT":
            assert inspect.getdoc(thing), name
        if not inspect.isclass(thing) or issubclass(thing, (Exception, tocsin.Status)):
            continue
        for member, value in vars(thing).items():
            if member.startswith("_") or member in ("links", "objects", "run", "instants"):
                continue
            text = inspect.getdoc(value if not isinstance(value, staticmethod) else value.__func__)
            plain = not (callable(value) or isinstance(value, (property, staticmethod)) or hasattr(value, "func"))
            assert plain or text, f"{name}.{member}"


def test_all_is_all():
    public = {name for name, value in vars(tocsin).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert public == set(tocsin.__all__)
    assert (FOLDER / "py.typed").exists()
