"""Contacts as one structured array."""

from __future__ import annotations

import enum
import importlib
from typing import Any, Sequence

import numpy as np

from ._tocsin import StepReport


class Status(enum.IntEnum):
    """What is proved about a contact: the field `status`."""

    OVERLAP = 0  #: touching at the beginning of the step
    HIT = 1  #: free before toc[0], touching at toc[1]
    GRAZE = 2  #: free outside toc; neither touch nor freedom could be proved inside


#: The dtype of Contacts. What there is not is -1 or NaN.
#:
#: step, frames (2,): index of the step's first frame; its first and last frame. seconds (2,), toc
#: (2,): the bracket of the first touch, since frame 0 and in step time, 0 to 1. touching (2,): of a
#: contact that began undecided, the bracket of the touch itself. point (3,): world, metres. normal
#: (3,): unit vector from it to the link's axis. depth: metres, of `inside`. avatar, link: which.
#: object, triangle: what is touched, or other_avatar, other_link. link_feature, other_feature: of
#: links with shapes, which feature. status: a Status. inside: the link's axis begins in a solid.
#: limited: a limit of iterations was reached.
CONTACT: np.dtype[Any] = np.dtype(
    [
        ("step", "i8"),
        ("frames", "i8", 2),
        ("seconds", "f8", 2),
        ("toc", "f8", 2),
        ("touching", "f8", 2),
        ("point", "f8", 3),
        ("normal", "f8", 3),
        ("depth", "f8"),
        ("avatar", "i4"),
        ("link", "i4"),
        ("object", "i4"),
        ("triangle", "i4"),
        ("other_avatar", "i4"),
        ("other_link", "i4"),
        ("link_feature", "i4"),
        ("other_feature", "i4"),
        ("status", "u1"),
        ("inside", "?"),
        ("limited", "?"),
    ],
    align=True,
)


class Contacts(np.ndarray[Any, Any]):
    """A structured array, a row a contact, with the fields of CONTACT.

    In order of step, avatar, link; of one link objects come first, then other links.
    links: of every avatar the names of its links. objects: names of the objects. Both are empty where
    they are not known.
    """

    links: Sequence[Sequence[str]]
    objects: Sequence[str]

    def __new__(
        cls,
        rows: np.ndarray[Any, Any],
        links: Sequence[Sequence[str]] = (),
        objects: Sequence[str] = (),
    ) -> Contacts:
        out = np.asarray(rows).view(cls)
        out.links = links
        out.objects = objects
        return out

    def __array_finalize__(self, other: object) -> None:
        self.links = getattr(other, "links", ())
        self.objects = getattr(other, "objects", ())

    def __reduce__(self) -> Any:
        reduced: Any = super().__reduce__()
        rebuild, of, state = reduced
        return rebuild, of, (state, self.links, self.objects)

    def __setstate__(self, state: Any) -> None:
        rows, self.links, self.objects = state
        super().__setstate__(rows)

    def link_names(self) -> list[str]:
        """The name of each row's link; "" where names are not known."""
        return [_name(self.links, a, k) for a, k in zip(self["avatar"], self["link"])]

    def touched_names(self) -> list[str]:
        """The name of what each row's link touches: an object or another link."""
        return [
            self.objects[o] if o >= 0 and self.objects else _name(self.links, a, k)
            for o, a, k in zip(self["object"], self["other_avatar"], self["other_link"])
        ]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: a column a field (vectors one a coordinate), names for link and object.

        Needs pandas. Columns of vectors are called seconds_lo, seconds_hi, point_x and so on.
        """
        pandas = importlib.import_module("pandas")

        columns: dict[str, Any] = {}
        for field in CONTACT.names or ():
            values = np.asarray(self[field])
            if values.ndim == 1:
                columns[field] = values
                continue
            ends = ("x", "y", "z") if values.shape[1] == 3 else ("lo", "hi")
            for i, end in enumerate(ends):
                columns[f"{field}_{end}"] = values[:, i]
        columns["status"] = [Status(s).name.lower() for s in columns["status"]]
        if self.links:
            columns["link"] = self.link_names()
            columns["touched"] = self.touched_names()
        return pandas.DataFrame(columns)


def _name(links: Sequence[Sequence[str]], avatar: int, link: int) -> str:
    return links[avatar][link] if links and avatar >= 0 else ""


def _contacts_of(report: StepReport) -> Contacts:
    """The contacts of the step, a Contacts array."""
    return Contacts(report._contacts)


StepReport.contacts = property(_contacts_of, doc=_contacts_of.__doc__)  # type: ignore[assignment]
