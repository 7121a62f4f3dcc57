"""Hook of mkdocs (mkdocs.yml). Links that leave docs/ work on GitHub and on the site.

Pages link with paths that are right in the repository, such as ../../include/tocsin/make.h. Every file outside docs/ that is
linked becomes part of the site, under repository/: Markdown as a page, everything else as it is. Links are rewritten to
match. A link that leads nowhere stays as it is, and mkdocs --strict refuses it.
"""

import os
import posixpath
import re
import warnings

from mkdocs.structure.files import File

# Debian's mkdocs-material has a template with an escape sequence that jinja2 warns about.
warnings.filterwarnings("ignore", category=DeprecationWarning, module="jinja2")

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUTSIDE = "repository/"
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def in_repository(uri):
    """Where a file of the site lies in the repository."""
    return uri[len(OUTSIDE):] if uri.startswith(OUTSIDE) else "docs/" + uri


def site_path(path):
    """Where a file of the repository lies on the site."""
    return path[len("docs/"):] if path.startswith("docs/") else OUTSIDE + path


def target_of(uri, link):
    """The linked file's path in the repository, or None: a web address, or a path that leaves the repository."""
    if re.match(r"[a-z]+:", link):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(in_repository(uri)), link))
    return None if path.startswith("..") else path


def links_of(uri):
    with open(os.path.join(ROOT, in_repository(uri)), encoding="utf-8") as page:
        for match in LINK.finditer(page.read()):
            yield match.group(2)


def on_files(files, config):
    pages = [file.src_uri for file in files.documentation_pages()]
    known = {file.src_uri for file in files}
    while pages:
        uri = pages.pop()
        for link in links_of(uri):
            path = target_of(uri, link)
            if not path or site_path(path) in known or not os.path.isfile(os.path.join(ROOT, path)):
                continue
            file = File(site_path(path), config["docs_dir"], config["site_dir"], config["use_directory_urls"])
            file.abs_src_path = os.path.join(ROOT, path)
            files.append(file)
            known.add(file.src_uri)
            if path.endswith(".md"):
                pages.append(file.src_uri)
    return files


def on_page_markdown(markdown, page, files, **_):
    here = posixpath.dirname(page.file.src_uri)

    def rewritten(match):
        path = target_of(page.file.src_uri, match.group(2))
        if not path or site_path(path) not in {file.src_uri for file in files}:
            return match.group(0)
        return match.group(1) + posixpath.relpath(site_path(path), here or ".") + match.group(3)

    return LINK.sub(rewritten, markdown)


def on_page_content(html, **_):
    """In a table GitHub reads \\| as | also within code; Python-Markdown keeps the backslash there."""
    return re.sub(r"<td.*?</td>", lambda cell: cell.group(0).replace("\\|", "|"), html, flags=re.S)
