"""Writes the packages and system libraries that Sluice uses, as a bill of materials in the format CycloneDX 1.6.

Reads the resolved dependencies and the manifest from `swift package`, and the versions of system libraries from pkg-config. The
traits that change the dependencies are those of the package by default.
"""

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def output(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout


def package(node, revisions):
    url = node["url"].removesuffix(".git")
    name = url.removeprefix("https://")
    return {
        "type": "library",
        "bom-ref": f"pkg:swift/{name}@{node['version']}",
        "name": node["identity"],
        "version": node["version"],
        "purl": f"pkg:swift/{name}@{node['version']}",
        "externalReferences": [
            {"type": "vcs", "url": url, "comment": f"revision {revisions[node['identity']]}"}
        ],
    }


def system_library(target):
    """The library of a system module. The manifest of a library without pkg-config names the packages that have the library."""
    names = [name for provider in target.get("providers", []) for names in provider.values() for name in names[0]]
    name = target.get("pkgConfig") or re.sub(r"(\d.*)?-dev$", "", names[0])
    found = subprocess.run(["pkg-config", "--modversion", name], stdout=subprocess.PIPE, text=True)
    component = {"type": "library", "bom-ref": f"pkg:generic/{name}", "name": name, "scope": "optional"}
    if found.returncode == 0:
        component["version"] = found.stdout.strip()
        component["bom-ref"] += "@" + component["version"]
    component["purl"] = component["bom-ref"]
    return component


def main():
    root = json.loads(output("swift", "package", "show-dependencies", "--format", "json"))
    manifest = json.loads(output("swift", "package", "dump-package"))
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    revisions = {pin["identity"]: pin["state"]["revision"] for pin in pins}
    version = re.search(r'current = "(.+)"', (ROOT / "Tool/Sources/ToolSupport/ToolVersion.swift").read_text())[1]

    main_component = {"type": "library", "bom-ref": "sluice", "name": "sluice", "version": version}
    components = {}
    uses = {"sluice": []}
    pending = [("sluice", node) for node in root["dependencies"]]
    while pending:
        user, node = pending.pop()
        component = package(node, revisions)
        reference = component["bom-ref"]
        uses[user].append(reference)
        if reference in components:
            continue
        components[reference] = component
        uses[reference] = []
        pending += [(reference, child) for child in node["dependencies"]]
    for target in manifest["targets"]:
        if target["type"] == "system":
            component = system_library(target)
            components[component["bom-ref"]] = component
            uses["sluice"].append(component["bom-ref"])

    print(json.dumps({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main_component},
        "components": [components[reference] for reference in sorted(components)],
        "dependencies": [{"ref": user, "dependsOn": sorted(uses[user])} for user in sorted(uses)],
    }, indent=2))


main()
