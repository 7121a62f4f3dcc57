"""Other threads of Python run while a check does, and Ctrl-C ends it."""

import signal
import subprocess
import sys
import threading
import time

import tocsin
from conftest import ball, poses_at, wall

# Some minutes of work in one call.
LONG = """
import numpy as np, tocsin
random = np.random.default_rng(1)
shape = tocsin.Shape.convex(random.standard_normal((2000, 3)))
spin = random.standard_normal((2, 1, 7))
spin[:, :, :4] /= np.linalg.norm(spin[:, :, :4], axis=2, keepdims=True)
avatar = tocsin.Avatar.body("hull", shape)
step = tocsin.Motion(avatar.skeleton, spin, frame_time=1.0).steps()[0]
room = tocsin.Environment({"room": (random.uniform(-2, 2, (3000, 3)), np.arange(3000).reshape(-1, 3))})
detector = tocsin.Detector(room)
print("begins", flush=True)
try:
    tocsin.run(detector, [avatar], [tocsin.Steps([step] * 200000)])
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_check():
    with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout.readline() == "begins\n"
            time.sleep(0.3)  # so that it is most likely within the call; either way the answer is the same
            program.send_signal(signal.SIGINT)
            said, _ = program.communicate(timeout=120)
        finally:
            program.kill()
    assert said == "interrupted\n"
    assert program.returncode == 0


def test_other_threads_run_meanwhile(one_joint):
    motion = tocsin.Motion(one_joint, poses_at([[0.01 * (k % 7), 0, 0] for k in range(200000)]), frame_time=0.01)
    detector = tocsin.Detector(tocsin.Environment({"wall": wall(0.5)}), backend="cpu")
    steps = motion.steps()
    turns, seen = [0], []

    def work():
        before = turns[0]
        tocsin.run(detector, [ball(one_joint, 0.46)], [steps], 1)
        seen.append(turns[0] - before)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)  # nobody is made to let others run: who holds the lock keeps it
    try:
        worker = threading.Thread(target=work)
        worker.start()
        while worker.is_alive():
            turns[0] += 1
            time.sleep(0.0005)
    finally:
        sys.setswitchinterval(usual)
    assert seen[0] > 5


def test_threads_may_share_a_detector_and_a_stream(one_joint):
    motion = tocsin.Motion(one_joint, poses_at([[0, 0, 0], [2, 0, 0]]), frame_time=1.0)
    detector = tocsin.Detector(tocsin.Environment({"wall": wall()}))
    stream = tocsin.Stream(detector, ball(one_joint, 0.1))
    (step,) = motion.steps()
    found = []

    def work():
        for _ in range(200):
            found.append(stream.check(step).contacts["toc"][0, 1])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 800 and len(set(found)) == 1
