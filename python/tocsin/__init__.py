"""Continuous collision detection, with proof, for motion-captured avatars.

    import tocsin
    result = tocsin.check("take.bvh", "house.obj")
    print(result)             # episodes of contact, for people
    result.contacts           # a structured array, a row a contact

World: right-handed, +Y up, metres, seconds. A pose is qw qx qy qz x y z: a unit quaternion, scalar
first, and a translation, from a joint's frame to its parent's. Motions are (frames, joints, 7),
vertices (n, 3), faces (m, 3).

What is refused raises tocsin.Error with the text that the command line has. What is tolerated is an
InputWarning. Calls that take long release the interpreter's lock, and Ctrl-C ends them.
"""

from ._tocsin import (
    Avatar,
    AvatarModel,
    ConvexBody,
    ConvexPair,
    Crowd,
    Detector,
    Environment,
    Error,
    InputWarning,
    Link,
    LiveMotion,
    Member,
    Mesh,
    Motion,
    Robot,
    Run,
    Scene,
    Shape,
    Skeleton,
    Step,
    StepReport,
    Steps,
    Stream,
    Verification,
    __version__,
    check_scene,
    load_avatar_model,
    load_environment,
    load_motion,
    nearest,
    run,
    save_environment,
    save_motion,
    shipped_avatar_models,
    time_line,
)
from ._body import Body
from ._check import Take, check
from ._contacts import CONTACT, Contacts, Status
from ._result import Result
from ._verify import render, verify

__all__ = [
    "Avatar",
    "AvatarModel",
    "Body",
    "CONTACT",
    "Contacts",
    "ConvexBody",
    "ConvexPair",
    "Crowd",
    "Detector",
    "Environment",
    "Error",
    "InputWarning",
    "Link",
    "LiveMotion",
    "Member",
    "Mesh",
    "Motion",
    "Result",
    "Robot",
    "Run",
    "Scene",
    "Shape",
    "Skeleton",
    "Status",
    "Step",
    "StepReport",
    "Steps",
    "Stream",
    "Take",
    "Verification",
    "check",
    "check_scene",
    "load_avatar_model",
    "load_environment",
    "load_motion",
    "nearest",
    "render",
    "run",
    "save_environment",
    "save_motion",
    "shipped_avatar_models",
    "time_line",
    "verify",
]
