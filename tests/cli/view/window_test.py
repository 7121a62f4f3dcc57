"""`tocsin view` with a real window, on Xvfb: input through SDL's queue and, by XTest, through the X server's own; resizing,
density, no display, no OpenGL. Exit status 77: skipped, and why is said.

window_test.py TOCSIN ROOT
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# A test runner in the background leaves it ignored, and what is started here would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
TOCSIN, ROOT = sys.argv[1:3]
failed = []


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def check(holds, what):
    if not holds:
        failed.append(what)
        print("FAILED:", what)


def run(folder, script, environment, more=()):
    with open(os.path.join(folder, "s.txt"), "w", encoding="ascii") as out:
        out.write(script)
    words = [TOCSIN, "view", "report.jsonl", "--script", "s.txt", *more]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)


def told(done):
    check(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Server:
    """An X server of its own, at a free number."""

    def __enter__(self):
        reads, writes = os.pipe()
        words = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
        self.process = subprocess.Popen(words, pass_fds=[writes], stderr=subprocess.DEVNULL)
        os.close(writes)
        with os.fdopen(reads) as number:
            self.display = ":" + number.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Attributes(ctypes.Structure):
    """XWindowAttributes of Xlib.h."""

    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "width", "height", "border", "depth")] + [
        ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong), ("kind", ctypes.c_int), ("bit_gravity", ctypes.c_int),
        ("win_gravity", ctypes.c_int), ("backing", ctypes.c_int), ("planes", ctypes.c_ulong), ("pixel", ctypes.c_ulong),
        ("under", ctypes.c_int), ("colours", ctypes.c_ulong), ("installed", ctypes.c_int), ("map_state", ctypes.c_int),
        ("more", ctypes.c_long * 16)]


class Keyboard:
    """Keys and clicks by XTest, as a person's come."""

    def __init__(self, display):
        self.x = ctypes.CDLL("libX11.so.6")
        self.test = ctypes.CDLL("libXtst.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XKeysymToKeycode.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        self.x.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.x.XQueryTree.argtypes = [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_void_p] * 4
        self.x.XSetInputFocus.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_ulong]
        self.x.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self.test.XTestFakeKeyEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        self.test.XTestFakeButtonEvent.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong]
        self.test.XTestFakeMotionEvent.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ulong]
        self.x.XGetWindowAttributes.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p]
        # A window may be gone before it is asked about: without a handler of ours Xlib would end this process.
        self.ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, error: 0)
        self.x.XSetErrorHandler(self.ignore)
        self.place = (0, 0)
        self.display = self.x.XOpenDisplay(display.encode())

    def windows(self):
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        self.x.XQueryTree(self.display, self.x.XDefaultRootWindow(self.display), ctypes.byref(root), ctypes.byref(parent),
                          ctypes.byref(children), ctypes.byref(count))
        return [children[i] for i in range(count.value)]

    def focus(self):
        """Waits for the window, and gives it the keyboard, as a window manager would."""
        for _ in range(1200):
            for window in self.windows():
                told = Attributes()
                self.x.XGetWindowAttributes(self.display, window, ctypes.byref(told))
                if told.map_state == 2:  # to be seen: others take no keyboard
                    self.place = (told.x, told.y)
                    self.x.XSetInputFocus(self.display, window, 1, 0)
                    self.x.XSync(self.display, 0)
                    return True
            time.sleep(0.05)
        return False

    def key(self, sym):
        code = self.x.XKeysymToKeycode(self.display, sym)
        for down in (1, 0):
            self.test.XTestFakeKeyEvent(self.display, code, down, 0)
        self.x.XSync(self.display, 0)

    def drag(self, x0, y0, x1, y1):
        left, top = self.place
        move = lambda x, y: self.test.XTestFakeMotionEvent(self.display, -1, left + int(x), top + int(y), 0)
        move(x0, y0)
        self.test.XTestFakeButtonEvent(self.display, 1, 1, 0)
        for i in range(1, 6):
            move(x0 + (x1 - x0) * i / 5, y0 + (y1 - y0) * i / 5)
            self.x.XSync(self.display, 0)
            time.sleep(0.05)
        self.test.XTestFakeButtonEvent(self.display, 1, 0, 0)
        self.x.XSync(self.display, 0)


def through_sdl(folder, environment):
    states = told(run(folder, "key home\ntell\nkey n\ntell\nclick play\ntell\nclick play\nclick sweep\nkey f1\ntell\n"
                      "size 1100 700\nlive 0.2\ntell\nscreenshot window.png\nlose\ntell\n", environment, ["--size", "1000x640"]))
    check(len(states) == 6, f"{len(states)} states")
    check(states[0]["now"] == 0, "home")
    check(states[1]["chosen"] == 0 and states[1]["now"] > 3.5, f"n: {states[1]['now']}")
    check(states[2]["playing"], "play")
    check(states[3]["sweep"] and states[3]["keys"], "click and function key")
    check((states[4]["width"], states[4]["height"]) == (1100, 700), f"resized to {states[4]['width']} x {states[4]['height']}")
    check(states[4]["overlapping_letters"] == 0, "texts overlap")
    check(states[5]["lost_contexts"] == 1, "a lost context is opened again")
    with open(os.path.join(folder, "window.png"), "rb") as image:
        head = image.read(24)
    check(head[16:24] == (1100).to_bytes(4, "big") + (700).to_bytes(4, "big"), "the screenshot's size")


def through_the_server(folder, environment, display):
    """A person's keys and mouse."""
    try:
        keyboard = Keyboard(display)
    except OSError as problem:
        print("not tried: input through the X server needs libXtst6:", problem)
        return
    result = {}
    worker = threading.Thread(target=lambda: result.update(done=run(
        folder, "key home\ntell\nlive 6\ntell\n", environment, ["--size", "1000x640"])))
    worker.start()
    check(keyboard.focus(), "a window appears")
    time.sleep(3.0)
    keyboard.key(ord("n"))
    time.sleep(0.3)
    keyboard.key(ord("x"))
    time.sleep(0.3)
    keyboard.drag(200, 200, 300, 220)
    worker.join()
    states = told(result["done"])
    check(len(states) == 2, f"{len(states)} states")
    check(states[1]["sweep"], "x: swept surfaces")
    check(states[1]["chosen"] == 0 and states[1]["now"] > 3.5, "n: the contact")
    # Without a screen the same keys and the same way of the pointer lead to the same place.
    wanted = told(run(folder, "key home\nkey n\ntell\ndrag 200 200 300 220\ntell\n", environment, ["--size", "1000x640", "--offscreen"]))
    apart = lambda p, q: sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5
    check(apart(wanted[0]["eye"], wanted[1]["eye"]) > 0.1, "a drag turns the camera")
    for what in ("eye", "target"):
        away = apart(states[1][what], wanted[1][what])
        check(away < 0.02, f"a mouse's drag: the {what} is {away} m from where a script's leads")


def without(folder):
    """No display, no OpenGL: said by name, status 2."""
    plain = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = run(folder, "", plain)
    check(done.returncode == 2 and "there is no display" in done.stderr, f"no display: {done.returncode} {done.stderr}")
    # Nothing that a library writes by itself reaches a user.
    bare = {k: v for k, v in plain.items() if k not in ("XDG_RUNTIME_DIR", "SDL_VIDEODRIVER")}
    done = run(folder, "", bare)
    check(done.returncode == 2 and done.stderr.count("\n") == 1 and done.stderr.startswith("tocsin view: "), f"one line: {done.stderr}")
    old = dict(plain, MESA_GL_VERSION_OVERRIDE="4.1", MESA_GLSL_VERSION_OVERRIDE="410")
    done = run(folder, "", old, ["--offscreen"])
    check(done.returncode == 2 and "OpenGL 4.5" in done.stderr, f"old OpenGL: {done.returncode} {done.stderr}")


def interrupted(folder):
    """Ctrl-C during a film: it is ended in good order, and nothing half-written is left."""
    if shutil.which("ffmpeg") is None:
        print("not tried: a film needs ffmpeg")
        return
    with open(os.path.join(folder, "s.txt"), "w", encoding="ascii") as out:
        out.write("key home\nkey space\nfilm a.mp4\nwait 3600\n")
    words = [TOCSIN, "view", "report.jsonl", "--script", "s.txt", "--offscreen", "--size", "320x200"]
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True) as window:
        for _ in range(2400):
            if any(".part" in name for name in os.listdir(folder)):
                break
            time.sleep(0.05)
        os.killpg(window.pid, signal.SIGINT)  # as a terminal does
        _, err = window.communicate(timeout=60)
    check(window.returncode == 4 and "interrupted" in err, f"Ctrl-C: {window.returncode} {err}")
    left = [name for name in os.listdir(folder) if ".part" in name]
    check(not left, f"half-written: {left}")
    with open(os.path.join(folder, "a.mp4"), "rb") as film:
        check(film.read(8)[4:] == b"ftyp", "the film is one")


def main():
    with tempfile.TemporaryDirectory() as folder:
        room, take = os.path.join(ROOT, "environments/music_room.obj"), os.path.join(ROOT, "motions/walk_and_reach.bvh")
        subprocess.run([TOCSIN, "check", take, "--env", room, "--out", "report.jsonl"], cwd=folder, check=True)
        tried = run(folder, "", dict(os.environ), ["--offscreen"])
        if "Dear ImGui" in tried.stderr:
            skip("this Tocsin has no window: Dear ImGui was not there when it was built")
        without(folder)
        interrupted(folder)
        if shutil.which("Xvfb") is None:
            skip("the window itself: there is no Xvfb; apt-get install xvfb")
        with Server() as server:
            environment = dict(os.environ, DISPLAY=server.display, SDL_VIDEODRIVER="x11")
            environment.pop("WAYLAND_DISPLAY", None)
            through_sdl(folder, environment)
            through_the_server(folder, environment, server.display)
    print("failed:" if failed else "all holds", *failed, sep="\n")
    return 1 if failed else 0


sys.exit(main())
