"""rust.py LIBRARY FOLDER: compiles demo.rs in FOLDER and has demo.py compare what it prints. Status 77: there is no rustc."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    library, folder = sys.argv[1:]
    rustc = shutil.which("rustc")
    if rustc is None:
        print("skipped: there is no rustc here (Debian's package is called rustc)")
        return 77
    program = os.path.join(folder, "rust_demo")
    place = os.path.dirname(library)
    command = [rustc, "--edition", "2021", "-D", "warnings", "-L", place, "-C", f"link-arg=-Wl,-rpath,{place}"]
    subprocess.run([*command, "-o", program, os.path.join(HERE, "demo.rs")], check=True)
    return subprocess.run([sys.executable, os.path.join(HERE, "demo.py"), library, program], check=False).returncode


sys.exit(main())
