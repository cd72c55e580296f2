#!/bin/sh
# Figures of the house, from the sources alone: files, lines of code, public items, fields of the runtime, circles of files
# that name each other, and the files of each walk in docs/design/75-walks.md. With a commit, that commit's figures beside them.
set -eu
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "python3 is not there: skipped"; exit 0; }
exec python3 - "$@" <<'PYTHON'
import re, subprocess, sys

def sources(commit):
    """Path and text of each Rust file of the library."""
    if commit is None:
        names = subprocess.run(['git', 'ls-files', 'src'], capture_output=True, text=True, check=True).stdout.split()
        return {name: open(name).read() for name in names if name.endswith('.rs')}
    names = subprocess.run(['git', 'ls-tree', '-r', '--name-only', commit, 'src'], capture_output=True, text=True, check=True)
    return {name: subprocess.run(['git', 'show', f'{commit}:{name}'], capture_output=True, text=True, check=True).stdout
            for name in names.stdout.split() if name.endswith('.rs')}

def without_comments(text):
    return '\n'.join(line.split('//')[0] for line in text.splitlines())

def module_of(path):
    parts = path[len('src/'):-len('.rs')].split('/')
    return tuple(parts[:-1] if parts[-1] in ('mod', 'lib') else parts)

def arrows(files):
    """From each file to the files that it names by `crate::` or `super::` paths, in `use` lines and in code (tests/layering.rs)."""
    home = {module_of(path): path for path in files}
    found = {path: set() for path in files}
    for path, text in files.items():
        here = module_of(path)
        code = without_comments(text.split('#[cfg(test)]\nmod ')[0])
        uses = [re.sub(r'\s+', '', use) for use in re.findall(r'\buse\s+([^;]+);', code)]
        for route in [route for use in uses for route in unfold(use)] + re.findall(r'\b(?:crate|super)(?:::[a-z_]\w*)+', code):
            words = route.split('::')
            if words[0] not in ('crate', 'super'):
                continue
            at = () if words[0] == 'crate' else here
            for word in words:
                at = at[:-1] if word == 'super' else at if word == 'crate' else at + (word,)
            while at and at not in home:
                at = at[:-1]
            if at and home[at] != path and not home[at].endswith('/mod.rs'):
                found[path].add(home[at])
    return found

def unfold(use):
    opened = use.find('{')
    if opened < 0:
        return [use]
    head, depth, parts, part = use[:opened], 0, [], ''
    for c in use[opened + 1:]:
        if c == '}' and depth == 0:
            break
        depth += (c == '{') - (c == '}')
        if c == ',' and depth == 0:
            parts.append(part)
            part = ''
        else:
            part += c
    parts.append(part)
    return [route for part in parts if part for route in unfold(head + part)]

def circles(found):
    """Strongly connected files, more than one, the largest first (Tarjan, without recursion)."""
    index, low, stack, on, out, count = {}, {}, [], set(), [], 0
    for root in found:
        if root in index:
            continue
        work = [(root, iter(sorted(found[root])))]
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = count
                    count += 1
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(sorted(found[to]))))
                    break
                if to in on:
                    low[node] = min(low[node], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = []
                    while True:
                        last = stack.pop()
                        on.discard(last)
                        circle.append(last)
                        if last == node:
                            break
                    if len(circle) > 1:
                        out.append(sorted(circle))
    return sorted(out, key=len, reverse=True)

def fields_of(files, name):
    for text in files.values():
        start = text.find(f'pub struct {name} {{')
        if start >= 0:
            body = text[start:text.index('\n}', start)]
            return len(re.findall(r'^    (?:pub(?:\([a-z]+\))? )?[a-z_0-9]+:', body, re.M))
    return 0

def figures(commit):
    files = sources(commit)
    code = sum(1 for text in files.values() for line in without_comments(text).splitlines() if line.strip())
    public = sum(len(re.findall(r'^\s*pub (?!use|mod)', text, re.M)) for text in files.values())
    inner = sum(len(re.findall(r'^\s*pub\((?:crate|super)', text, re.M)) for text in files.values())
    rings = circles(arrows(files))
    rows = [('files', len(files)), ('lines of code', code), ('pub', public), ('pub(crate), pub(super)', inner),
            ('over 400 lines', sum(text.count('\n') > 400 for text in files.values())),
            ('fields of Runtime', fields_of(files, 'Runtime')), ('circles of files', len(rings)),
            ('files in the largest', len(rings[0]) if rings else 0)]
    return rows, rings

commits = [None] + sys.argv[1:2]
told = [figures(commit) for commit in commits]
for i, (name, now) in enumerate(told[0][0]):
    before = f'{told[1][0][i][1]:>10}' if len(told) > 1 else ''
    print(f'{name:<24}{now:>10}{before}')
for ring in told[0][1]:
    print(f'circle of {len(ring)}: ' + ' '.join(path[len('src/'):] for path in ring))
for walk in open('docs/design/75-walks.md').read().split('\n## ')[1:]:
    steps = re.findall(r'^\d+\. `([^`]+)`', walk, re.M)
    print(f'walk of {len(steps)}: {walk.splitlines()[0]}')
PYTHON
