#!/usr/bin/env python3
"""Checks #include edges and cuzk_module DEPS under src/ against cmake/layers.txt."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
TEST_FILE = re.compile(r"(^|_)(test|bench|fuzz|testing)(_\w+)?\.(cpp|hpp|cu)$|^(test|fuzz|bench)_\w+\.(cpp|hpp)$")


def read_layers(path):
    """Returns {module: set of modules it may use, itself included} and [(header prefix, modules)]."""
    direct, third_party = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("<"):
            prefix, word, *modules = line.split()
            if word != "only":
                sys.exit(f"{path}:{number}: expected `<prefix only modules`")
            third_party.append((prefix[1:], modules))
        else:
            module, _, deps = line.partition(":")
            direct[module] = deps.split()
    for module, deps in direct.items():
        for dep in deps:
            if dep != "*" and dep not in direct:
                sys.exit(f"{path}: {module} names {dep}, which has no line")

    def reach(module, seen):
        if module not in seen:
            seen.add(module)
            for dep in direct if direct[module] == ["*"] else direct[module]:
                reach(dep, seen)
        return seen

    return {m: reach(m, set()) for m in direct}, third_party


def module_of(relative, modules):
    """The longest module name that the path lies in, or None."""
    parts = pathlib.PurePosixPath(relative).parts[:-1]
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in modules:
            return "/".join(parts[:length])
    return None


def check_file(path, allowed, third_party, errors):
    relative = path.relative_to(SRC).as_posix()
    module = module_of(relative, allowed)
    if module is None:
        errors.append(f"src/{relative}: in no module that cmake/layers.txt names")
        return
    if TEST_FILE.search(path.name):
        return
    for match in INCLUDE.finditer(path.read_text()):
        quote, name = match.groups()
        where = f"src/{relative}:{path.read_text().count(chr(10), 0, match.start(2)) + 1}"
        if quote == '"':
            target = module_of(name, allowed)
            if target is None and (SRC / name).exists():
                errors.append(f"{where}: {name} is in no module that cmake/layers.txt names")
            elif target is None and "/" not in name:
                errors.append(f"{where}: \"{name}\": write includes relative to src/")
            elif target is not None and target not in allowed[module]:
                errors.append(f"{where}: {module} may not use {target} ({name})")
        else:
            for prefix, modules in third_party:
                if name.startswith(prefix) and module not in modules:
                    errors.append(f"{where}: {module} may not use <{name}>; only: {' '.join(modules)}")


def check_cmake(path, allowed, errors):
    text = re.sub(r"#.*", "", path.read_text())
    for call in re.finditer(r"cuzk_module\(([^)]*)\)", text):
        fields, key = {}, None
        for token in call.group(1).split():
            if re.fullmatch(r"[A-Z_]+", token):
                key = token
                fields[key] = []
            elif key:
                fields[key].append(token)
        where = path.relative_to(ROOT).as_posix()
        name = (fields.get("NAME") or ["?"])[0]
        if name not in allowed:
            errors.append(f"{where}: module {name} is not in cmake/layers.txt")
            continue
        for dep in fields.get("DEPS", []):
            if dep not in allowed[name]:
                errors.append(f"{where}: {name} may not depend on {dep}")


def main():
    allowed, third_party = read_layers(ROOT / "cmake" / "layers.txt")
    errors, files = [], 0
    for path in sorted(SRC.rglob("*")):
        if path.suffix in (".hpp", ".cpp", ".h", ".cu", ".cuh"):
            check_file(path, allowed, third_party, errors)
            files += 1
        elif path.name == "CMakeLists.txt":
            check_cmake(path, allowed, errors)
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{files} files, {len(errors)} forbidden edges")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
