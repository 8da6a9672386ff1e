#!/usr/bin/env python3
"""Keys and proofs of Filecoin's circuits, made by the cuzk program, against those of the upstream implementation, to the
byte. Also digests of circuits and witnesses, and verification from commitments.

Usage: filecoin_vectors_test.py CUZK SHARED NAME…, the program, the folder of shared material, circuits (winning-2k …).
Ends with status 77 (skipped) where the material is absent.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

CUZK, SHARED, *NAMES = sys.argv[1:]
INPUTS = os.path.join(SHARED, "vectors", "inputs")
UNPACKED = tempfile.TemporaryDirectory(prefix="cuzk-inputs-")


def run(*arguments):
    return subprocess.run([CUZK, *arguments], capture_output=True, text=True, timeout=1500)


def load(*path):
    with open(os.path.join(SHARED, "vectors", *path)) as file:
        return json.load(file)


def input_file(name):
    """The path of an input; of one that is there only as .zst, unpacked for this run."""
    path = os.path.join(INPUTS, name)
    if os.path.exists(path):
        return path
    unpacked = os.path.join(UNPACKED.name, name)
    if not os.path.exists(unpacked):
        subprocess.run(["zstd", "-q", "-d", path + ".zst", "-o", unpacked], check=True)
    return unpacked


def input_options(kind, case):
    """The options that give `prove` and `witness` the input of a case."""
    files = [input_file(name) for name in case.get("input_files", [case.get("input_file")])]
    size = str(case["sector_size"])
    if kind == "porep":
        options = ["--c1", *files, "--miner", str(case["miner_id"]), "--sector", str(case["sector_id"])]
        return options + ([] if case["sector_size"] in (2048, 8 << 20) else ["--porep-id", case["porep_id"]])
    if kind == "snap":
        return ["--vanilla", *files, "--sector-size", size, "--comm-r-old", case["comm_r_old"], "--comm-r-new",
                case["comm_r_new"], "--comm-d-new", case["comm_d_new"]]
    options = ["--vanilla", *files, "--sector-size", size, "--randomness", case["randomness"], "--miner", "2345"]
    return options + (["--api", case["api"]] if kind == "window" else [])


class VectorsTest(unittest.TestCase):
    maxDiff = None

    def done(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    def check_key_and_proofs(self, name):
        kind = name.split("-")[0]
        expected = load("groth16", name + ".json")
        folder = tempfile.mkdtemp(prefix="cuzk-vectors-")
        self.addCleanup(shutil.rmtree, folder)
        secrets = os.path.join(SHARED, "vectors", "groth16", name + ".json")
        self.done("setup", "--circuit", name, "--out", folder, "--secrets", secrets)
        base = os.path.join(folder, expected["parameters"])
        with open(base + ".origin.json") as file:
            origin = json.load(file)
        self.assertEqual(origin["params_blake2b_512"], expected["params_blake2b_512"])
        self.assertEqual(os.path.getsize(base + ".params"), expected["params_bytes"])
        with open(base + ".vk", "rb") as ours, open(os.path.join(SHARED, "vectors", "groth16", name + ".vk"), "rb") as theirs:
            self.assertEqual(ours.read(), theirs.read())
        self.assertEqual(origin["circuit_digest"], load("circuits", name + ".json")["digest"])
        for i, listed in enumerate(expected["proofs"]):
            witness = listed["witness"]
            case_name = witness.split(".wtns")[0] if ".wtns" in witness else witness[:-5]
            if ".p" not in case_name:
                case_name += ".p0"
            case = load("inputs", case_name + ".json")
            out = os.path.join(folder, f"{i}.proof")
            self.done("prove", kind, *input_options(kind, case), "--partition", str(case["partition"]), "--params", folder,
                      "--out", out, "--blinding", listed["r"] + "," + listed["s"])
            with open(out, "rb") as file:
                self.assertEqual(file.read().hex(), listed["proof"], case_name)
            public = os.path.join(INPUTS, case_name + ".json")
            self.assertEqual(self.done("verify", kind, "--public", public, "--proof", out, "--params", folder), "valid\n")
        if kind == "porep":
            self.check_variants(name, folder)
        points = self.done("bench", "run", "--circuit", name, "--params", folder, "-c", "2", "-j", "2", "--json")  # the engine
        self.assertEqual([point["proofs_done"] for point in points], [2])

    def check_variants(self, name, folder):
        """Proofs of every other registered kind of a sector, for which upstream has no proofs to compare with: each is valid for
        its statement alone."""
        proofs = {}
        for case_name in sorted(os.listdir(INPUTS)):
            case = load("inputs", case_name) if case_name.startswith(name + "-") and ".p" in case_name else None
            if case:
                out = os.path.join(folder, case_name + ".proof")
                self.done("prove", "porep", *input_options("porep", case), "--partition", str(case["partition"]), "--params", folder,
                          "--out", out)
                proofs[case_name] = out
        self.assertEqual(len(proofs), {"porep-2k": 4}[name])
        for case_name in proofs:
            for other, proof in proofs.items():
                verified = run("verify", "porep", "--public", os.path.join(INPUTS, case_name), "--proof", proof, "--params", folder)
                self.assertEqual(verified.stdout.split()[0].rstrip(":"), "valid" if other == case_name else "invalid", (case_name, other))

    def check_digests(self, name):
        kind = name.split("-")[0]
        expected = load("circuits", name + ".json")
        found = self.done("circuit", "digest", name, "--blocks", "--json")
        for key in ("inputs", "aux", "constraints", "nonzeros", "zero_terms_dropped", "digest", "parameters", "blocks"):
            self.assertEqual(found[key], expected[key], key)
        info = self.done("circuit", "info", name, "--json")
        for key in ("inputs", "aux", "constraints", "nonzeros", "identifier"):
            self.assertEqual(info[key], expected[key], key)
        case_path = os.path.join(INPUTS, name + ".p0.json")
        case = load("inputs", name + ".p0.json")
        found = self.done("witness", kind, *input_options(kind, case), "--partition", "0", "--blocks", "--json")
        for key in ("inputs", "aux", "constraints", "satisfied", "unsatisfied", "aux_zero", "aux_one", "input_digest",
                    "aux_digest", "a_digest", "b_digest", "c_digest", "aux_blocks"):
            self.assertEqual(found[key], case[key], key)
        key = load("groth16", name + ".json")
        self.assertEqual(info["params_bytes"], key["params_bytes"], case_path)

    def test_all(self):
        for name in NAMES:
            with self.subTest(name):
                self.check_digests(name)
                self.check_key_and_proofs(name)


if __name__ == "__main__":
    if not os.path.isdir(INPUTS):
        print("skipped: no", INPUTS)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
