# A notebook of cells (# %%): the contacts of a take in a room, as a table and as a picture. Run it cell by cell, or
#   python3 examples/plot_contacts.py [TAKE ROOM [PICTURE.png]]
# Without matplotlib (Debian: python3-matplotlib) it ends after the table, with status 77.
import sys
from pathlib import Path

import numpy as np
import tocsin

# %% The take, the room, the picture's file
HERE = Path(__file__).resolve().parents[1] if "__file__" in globals() else Path.cwd()
given = [a for a in sys.argv[1:] if not a.startswith("-")]
take, room, *rest = given if len(given) > 1 else (HERE / "motions/walk_and_reach.bvh", HERE / "environments/music_room.obj", *given)
picture = rest[0] if rest else "contacts.png"

# %% All contacts, at every moment; distances that are proved
motion = tocsin.load_motion(take)
result = tocsin.check(motion, room, clearance=True)
print(result)

# %% Each contact: when, what, where
contacts = result.contacts
names = result.links[0]
for row in contacts:
    x, y, z = row["point"]
    print(f"{row['seconds'][1]:8.4f} s  {names[row['link']]:>16} and {result.objects[row['object']]:<12} ({x:.3f}, {y:.3f}, {z:.3f}) m")

# %% Where the links are that come nearest
nearest = result.clearances()  # (steps, links), metres
times = motion.times[: len(nearest)]
closest = np.argsort(nearest.min(axis=0))[:4]
print("nearest:", ", ".join(f"{names[i]} {nearest[:, i].min():.3f} m" for i in closest))

# %% The picture
try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed (Debian: python3-matplotlib): no picture")
    sys.exit(77)
matplotlib.use("Agg")
import matplotlib.pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5.5), layout="constrained", width_ratios=[5, 3])
for i in closest:
    left.plot(times, nearest[:, i], label=names[i])
for row in contacts:
    left.axvline(row["seconds"][1], color="crimson", lw=1, alpha=0.6)
left.set(xlabel="time (s)", ylabel="distance is at least (m)", title=f"{Path(take).name} in {Path(room).name}")
left.set_ylim(bottom=0)
left.legend(title="the nearest links", loc="upper right")

# %% The room from above, the way of the root, the points of contact
environment = tocsin.load_environment(room)
x, _, z = environment.vertices.T
right.triplot(x, z, environment.faces, color="0.8", lw=0.3)
root = motion.poses[:, 0, 4:]
right.plot(root[:, 0], root[:, 2], color="0.4", label="the root's way")
right.scatter(contacts["point"][:, 0], contacts["point"][:, 2], color="crimson", zorder=3, label="contacts")
right.set(xlabel="x (m)", ylabel="z (m)", aspect="equal", title="from above")
right.invert_yaxis()
right.legend(loc="upper left")

# %%
figure.savefig(picture, dpi=100)
print(f"{picture}: {len(contacts)} contacts")
