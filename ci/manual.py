"""The manual as HTML pages, from docs/ and the headers:   manual.py [OUT]     (default target/manual)

Every page of docs/ has its place in SECTIONS; the reference is made from the comments of include/. All links are checked,
and the headings that they lead to; the first that leads nowhere ends it.
"""

import html
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECTIONS = [
    ("Begin", ["ladder", "installing", "embedding", "porting"]),
    ("Compilers and hosts", ["values", "threads", "llvm", "loading", "rust", "debugging"]),
    ("Profiling stories", ["profiling", "cost-centres", "function-space", "coverage", "coverage-differences", "ticky", "viewer"]),
    ("Tuning", ["tuning", "flags", "performance"]),
    ("Reference", ["reference", "reference-types", "reference-inline", "stg", "limits", "glossary"]),
    ("Formats", ["formats-*"]),
    ("Design", ["design/*", "decisions/*", "model-test", "fuzzing", "reliability"]),
]
STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d5dae0;--soft:#f3f5f7;--link:#0a58a8}
@media(prefers-color-scheme:dark){:root{--ink:#dde2e8;--paper:#15181c;--line:#363c44;--soft:#1f2429;--link:#7ab7ff}}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:flex}
nav{flex:0 0 15rem;padding:1rem;border-right:1px solid var(--line);font-size:.88rem;height:100vh;overflow:auto;position:sticky;top:0;box-sizing:border-box}
nav b{display:block;margin:.9rem 0 .2rem}nav a{display:block;padding:.1rem 0 .1rem .6rem;text-decoration:none}nav a.here{font-weight:600;border-left:3px solid var(--link)}
main{padding:1.2rem 2.2rem 4rem;max-width:54rem;min-width:0;flex:1}a{color:var(--link)}
pre{background:var(--soft);padding:.7rem .9rem;overflow:auto;border-radius:4px;font-size:.86rem;line-height:1.4}
code{font-family:ui-monospace,monospace;font-size:.92em}table{border-collapse:collapse;display:block;overflow:auto}
td,th{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}h2{border-bottom:1px solid var(--line);margin-top:2rem}
.entry{margin-top:1.6rem}@media(max-width:50rem){body{display:block}nav{height:auto;position:static}}
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def anchor(text):
    return re.sub(r"[^a-z0-9 _-]", "", re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", text).lower()).strip().replace(" ", "-")


class Page:
    def __init__(self, name, text):
        self.name, self.text, self.anchors, self.links = name, text, set(), []
        title = re.search(r"^# (.*)$", text, re.M)
        self.title = title.group(1) if title else name
        self.file = name.replace("/", "-") + ".html"

    def inline(self, text):
        """Code, links, bold and plain text of one paragraph."""
        out = []
        for part in re.split(r"(`[^`]+`|\[(?:[^]`]|`[^`]*`)+\]\([^)]+\))", text):
            if part.startswith("`") and part.endswith("`") and len(part) > 1:
                out.append("<code>%s</code>" % html.escape(part[1:-1]).replace("*", "&#42;"))
            elif part.startswith("[") and part.endswith(")"):
                words, target = re.match(r"\[(.*)\]\((.*)\)$", part, re.S).groups()
                target = self.target(target)
                out.append('<a href="%s">%s</a>' % (html.escape(target), self.inline(words)) if target else self.inline(words))
            else:
                out.append(html.escape(part, quote=False))
        bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", "".join(out), flags=re.S)
        return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", r"<em>\1</em>", bold)

    def target(self, target):
        """Where a link leads among the pages. A file of the project must be there, and is only named."""
        if "://" in target:
            return target
        path, _, place = target.partition("#")
        if not path:
            self.links.append((self.name, place))
            return "#" + place
        whole = os.path.normpath(os.path.join("docs", os.path.dirname(self.name), path))
        if whole.startswith("docs/") and whole.endswith(".md"):
            name = whole[5:-3]
            self.links.append((name, place))
            return name.replace("/", "-") + ".html" + ("#" + place if place else "")
        if not os.path.exists(os.path.join(ROOT, whole)):
            sys.exit("%s links to %s, which is not there" % (self.name, target))
        return None

    def blocks(self, lines):
        out, i = [], 0
        while i < len(lines):
            line = lines[i]
            if not line.strip():
                i += 1
            elif line.startswith("<!--"):
                while "-->" not in lines[i]:
                    i += 1
                i += 1
            elif line.lstrip().startswith("```"):
                indent, end = len(line) - len(line.lstrip()), i + 1
                while not lines[end].lstrip().startswith("```"):
                    end += 1
                words = line.strip()[3:].split()
                name = '<p><code>%s</code></p>' % html.escape(words[1]) if len(words) > 1 and words[0] == "c" else ""
                out.append(name + "<pre><code>%s</code></pre>" % html.escape("\n".join(l[indent:] for l in lines[i + 1:end]), quote=False))
                i = end + 1
            elif line.startswith("    "):
                end = i
                while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                    end += 1
                out.append("<pre><code>%s</code></pre>" % html.escape("\n".join(l[4:] for l in lines[i:end]).rstrip(), quote=False))
                i = end
            elif re.match(r"#{1,5} ", line):
                level, text = len(line.split()[0]), line.split(" ", 1)[1]
                self.anchors.add(anchor(text))
                out.append('<h%d id="%s">%s</h%d>' % (level, anchor(text), self.inline(text), level))
                i += 1
            elif line.startswith("|"):
                end = i
                while end < len(lines) and lines[end].startswith("|"):
                    end += 1
                out.append(self.table(lines[i:end]))
                i = end
            elif re.match(r"([-*]|\d+\.) ", line):
                end, items = i, []
                while end < len(lines) and (not lines[end].strip() or lines[end][0] == " " or re.match(r"([-*]|\d+\.) ", lines[end])):
                    if re.match(r"([-*]|\d+\.) ", lines[end]):
                        items.append([lines[end].split(" ", 1)[1]])
                    else:
                        items[-1].append(re.sub(r"^ {2,3}", "", lines[end]))
                    end += 1
                kind = "ol" if line[0].isdigit() else "ul"
                out.append("<%s>%s</%s>" % (kind, "".join("<li>%s</li>" % self.blocks(one) for one in items), kind))
                i = end
            else:
                end = i
                while end < len(lines) and lines[end].strip() and not re.match(r"(```|#{1,5} |\||[-*] |<!--)", lines[end]):
                    end += 1
                end = max(end, i + 1)
                out.append("<p>%s</p>" % self.inline("\n".join(lines[i:end])))
                i = end
        return "\n".join(out)

    def table(self, lines):
        rows = []
        for line in lines:
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            if all(re.fullmatch(r"\s*:?-+:?\s*", cell) for cell in cells):
                continue
            kind = "td" if rows or not any(cell.strip() for cell in cells) else "th"
            inner = "".join("<%s>%s</%s>" % (kind, self.inline(cell.strip().replace("\\|", "|")), kind) for cell in cells)
            rows.append("<tr>%s</tr>" % inner if any(cell.strip() for cell in cells) else "")
        return "<table>%s</table>" % "".join(rows)

    def body(self):
        return self.blocks(self.text.split("\n"))


def comment_text(comment):
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.strip("/* \n").split("\n")]
    return "\n".join(lines).strip()


def functions(header):
    """Name, text and prototype of each function."""
    for comment, prototype in re.findall(r"/\*\*\n(.*?)\*/\n([^/;{}#]*?\bbarrow_\w+\([^;{}]*\));", header, re.S):
        comment = comment.rsplit("/**", 1)[-1]
        yield re.search(r"\b(barrow_\w+)\(", prototype).group(1), comment_text(comment), " ".join(prototype.split()) + ";"


def wrapped(prototype):
    if len(prototype) < 100:
        return prototype
    head, rest = prototype.split("(", 1)
    return head + "(\n    " + re.sub(r", (?![^()]*\))", ",\n    ", rest)


def reference():
    """One page of functions, by the files of src/ffi; one of types; one of what is in line."""
    header = read("include/barrow.h")
    known = {name: (text, prototype) for name, text, prototype in functions(header)}
    out, left = ["# Reference: functions\n\nMade from `include/barrow.h`. Every function returns a `barrow_status` unless it says otherwise; "
                 "`barrow_last_error()` has a sentence for the last one that was not `BARROW_OK`.\n"], dict(known)
    for file in sorted(os.listdir(os.path.join(ROOT, "src/ffi"))):
        source = read("src/ffi/" + file)
        names = [name for name in re.findall(r"\bfn (barrow_\w+)", source) if name in left]
        if not names:
            continue
        title = re.search(r"^//! (.*?)[.:]? *$", source, re.M).group(1)
        out.append("## %s\n" % re.sub(r"[.:].*", "", title))
        for name in names:
            text, prototype = left.pop(name)
            out.append("### %s\n\n```\n%s\n```\n\n%s\n" % (name, wrapped(prototype), text))
    if left:
        out.append("## Further functions\n")
        for name, (text, prototype) in left.items():
            out.append("### %s\n\n```\n%s\n```\n\n%s\n" % (name, wrapped(prototype), text))
    missing = set(read("abi/symbols.txt").split()) - set(known)
    if missing:
        sys.exit("the reference lacks %s" % ", ".join(sorted(missing)))
    yield "reference", "\n".join(out)

    out = ["# Reference: types\n\nMade from `include/barrow.h`.\n"]
    types = re.findall(r"(/\*\*\n(?:(?!\*/).)*?\*/\n)?(typedef (?:struct|enum) (barrow_\w+) \{.*?\n\} \w+;|enum (barrow_\w+)[^\n]*\n?[^\n]*\{.*?\n\};)", header, re.S)
    for comment, text, one, other in types:
        out.append("### %s\n\n%s\n\n```\n%s\n```\n" % (one or other, comment_text(comment) if comment else "", text))
    yield "reference-types", "\n".join(out)

    out = ["# Reference: what is in line\n\nMade from `include/barrow/inline.h`: functions and macros that compiled code contains. "
           "`barrow/*.ll` has the same for LLVM ([LLVM](llvm.md)).\n"]
    inline = read("include/barrow/inline.h")
    for comment, text in re.findall(r"(/\*(?:(?!\*/).)*\*/)\n((?:static inline [^{]*\)|#define BARROW_\w+(?:\([^)]*\))?))", inline, re.S):
        name = re.search(r"#define (\w+)|(\w+)\(", text)
        prototype = " ".join(text.replace("static inline ", "").split())
        out.append("### %s\n\n```\n%s\n```\n\n%s\n" % (name.group(1) or name.group(2), prototype, comment_text(comment)))
    yield "reference-inline", "\n".join(out)


def main(out):
    generated = dict(reference())
    have = sorted(os.path.relpath(os.path.join(folder, file), os.path.join(ROOT, "docs"))[:-3]
                  for folder, _, files in os.walk(os.path.join(ROOT, "docs")) for file in files if file.endswith(".md"))
    have += list(generated)
    sections, placed = [], set()
    for title, names in SECTIONS:
        pages = []
        for name in names:
            found = [one for one in have if one.startswith(name[:-1])] if name.endswith("*") else [name]
            pages += [Page(one, generated[one] if one in generated else read("docs/%s.md" % one)) for one in found]
        placed |= {page.name for page in pages}
        sections.append((title, pages))
    if set(have) - placed:
        sys.exit("ci/manual.py gives no place to %s" % ", ".join(sorted(set(have) - placed)))
    pages = [page for _, pages in sections for page in pages]
    bodies = {page.name: page.body() for page in pages}
    anchors = {page.name: page.anchors for page in pages}
    links = 0
    for page in pages:
        for name, place in page.links:
            links += 1
            if name not in anchors or place and place not in anchors[name]:
                sys.exit("%s links to %s#%s, which is not there" % (page.name, name, place))
    os.makedirs(out, exist_ok=True)
    for page in pages:
        nav = ['<a href="index.html"><b>Barrow</b></a>']
        for title, inside in sections:
            nav.append("<b>%s</b>" % title)
            nav += ['<a%s href="%s">%s</a>' % (' class="here"' if one is page else "", one.file, html.escape(one.title.replace("`", ""))) for one in inside]
        write(out, page.file, page.title, "\n".join(nav), bodies[page.name])
    cover = Page("index", read("README.md"))
    cover.target = lambda target: target
    write(out, "index.html", "Barrow", "\n".join(nav).replace(' class="here"', ""), cover.body())
    print("manual: %d pages and the cover, %d links among them, all lead somewhere" % (len(pages), links))


def write(out, file, title, nav, body):
    text = ('<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            "<title>%s - Barrow</title><style>%s</style><body><nav>%s</nav><main>%s</main></body></html>\n")
    with open(os.path.join(out, file), "w", encoding="utf-8") as to:
        to.write(text % (html.escape(title.replace("`", "")), STYLE, nav, body))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "target/manual"))
