#!/usr/bin/env python3
"""Drives the Filecoin commands of the cuzk program as a user would, on made-up inputs; above all on bad ones.

Usage: filecoin_test.py CUZK. Names like D-3, A9 or E14 are families of reported faults.
"""
import base64
import ctypes
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

CUZK = sys.argv[1]
LIBC = ctypes.CDLL(None)
R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
# Compressed, x = p + 4: a point of the curve in a form that is not canonical.
ALIAS_G1 = bytes.fromhex("9a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaaf")


def load(path):
    with open(path) as file:
        return json.load(file)


def run(*arguments, environment=None, limit_s=300, preexec_fn=None):
    begin = time.monotonic()
    done = subprocess.run([CUZK, *arguments], capture_output=True, text=True, timeout=limit_s,
                          env={**os.environ, **(environment or {})}, preexec_fn=preexec_fn)
    done.seconds = time.monotonic() - begin
    return done


def limit_file_sizes(most):
    """For preexec_fn: what a full disk does, at a size that is known."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def obey_permissions():
    """For preexec_fn: root writes into folders that are read-only, unless it gives up that right for the program it starts."""
    if os.geteuid() == 0:
        PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
        if LIBC.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0:
            raise OSError("prctl")


class FilecoinTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="cuzk-filecoin-")
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.keys = os.path.join(cls.shared, "keys")
        cls.window = os.path.join(cls.shared, "window.bin")
        cls.c1 = os.path.join(cls.shared, "c1.json")
        cls.snap = os.path.join(cls.shared, "snap.bin")
        cls.proof = os.path.join(cls.shared, "window.proof")
        for arguments in (["setup", "--circuit", "window-2k", "--out", cls.keys],
                          ["gen", "window", "--sector-size", "2KiB", "--sectors", "3", "--seed", "5", "--out", cls.window],
                          ["gen", "porep", "--sector-size", "2KiB", "--seed", "5", "--out", cls.c1],
                          ["gen", "snap", "--sector-size", "2KiB", "--seed", "5", "--out", cls.snap]):
            done = run(*arguments)
            assert done.returncode == 0, done.stderr
        public = load(cls.window + ".public.json")
        cls.randomness, cls.miner = public["randomness"], public["miner_id"]
        cls.name = json.loads(run("circuit", "info", "window-2k", "--json").stdout)["key"]
        done = cls.prove_window("--out", cls.proof)
        assert done.returncode == 0, done.stderr

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cuzk-filecoin-case-")
        self.addCleanup(shutil.rmtree, self.folder)

    @classmethod
    def prove_window(cls, *more, vanilla=None, keys=None, randomness=None):
        files = vanilla if isinstance(vanilla, list) else [vanilla or cls.window]
        return run("prove", "window", "--vanilla", *files, "--randomness", randomness or cls.randomness, "--sector-size", "2KiB",
                   "--miner", str(cls.miner), "--params", keys or cls.keys, *more)

    def verify_window(self, proof=None, public=None, *more, keys=None):
        return run("verify", "window", "--public", public or self.window + ".public.json", "--proof", proof or self.proof,
                   "--params", keys or self.keys, *more)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def refused(self, done, *parts, status=2):
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        for part in parts:
            self.assertIn(part, done.stderr)

    def copy_keys(self):
        keys = self.path("keys")
        shutil.copytree(self.keys, keys)
        return keys

    # --- the main path

    def test_proofs_verify(self):
        self.assertEqual(os.path.getsize(self.proof), 2 * 192)
        done = self.verify_window()
        self.assertEqual((done.returncode, done.stdout), (0, "valid\n"), done.stderr)
        for k in (0, 1):
            out = self.path(f"p{k}")
            done = self.prove_window("--partition", str(k), "--out", out, "--public", self.path("public.json"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.path.getsize(out), 192)
            # The statement says which partition it is, and must not be contradicted.
            self.assertEqual(load(self.path("public.json")), {**load(self.window + ".public.json"), "partition": k})
            for more in ([], ["--partition", str(k)]):
                self.assertEqual(self.verify_window(out, self.path("public.json"), *more).returncode, 0)
            self.refused(self.verify_window(out, self.path("public.json"), "--partition", str(1 - k)), "--partition", "public.json")
            self.assertEqual(self.verify_window(out, None, "--partition", str(1 - k)).returncode, 1)

    def test_gen_public_file_equals_that_of_prove(self):
        done = self.prove_window("--out", self.path("p"), "--public", self.path("public.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read(self.path("public.json")), self.read(self.window + ".public.json"))

    def test_every_kind_and_size_can_be_made_up(self):
        for kind in ("winning", "snap"):
            for size in ("2KiB", "32GiB", "64GiB"):
                out = self.path(kind + size)
                done = run("gen", kind, "--sector-size", size, "--seed", "1", "--out", out, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["bytes"], os.path.getsize(out))

    def test_circom_forms(self):
        r1cs, wtns = self.path("c.r1cs"), self.path("c.wtns")
        self.assertEqual(run("circuit", "write", "window-2k", "--out", r1cs).returncode, 0)
        done = run("witness", "window", "--vanilla", self.window, "--randomness", self.randomness, "--sector-size", "2KiB",
                   "--partition", "1", "--out", wtns)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("prove", "--params", os.path.join(self.keys, self.name + ".params"), "--r1cs", r1cs, "--witness", wtns, "--out",
                   self.path("p.json"), "--proof-bin", self.path("p.bin"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verify_window(self.path("p.bin"), None, "--partition", "1").returncode, 0)

    def test_engine(self):
        for name in ("window-2k", "wpost-2k"):
            done = run("bench", "run", "--circuit", name, "--params", self.keys, "-c", "2", "-j", "2", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)[0]["proofs_done"], 2)
        self.refused(run("bench", "run", "--circuit", "window-2k", environment={"FIL_PROOFS_PARAMETER_CACHE": ""}), "--params")
        # Found before minutes of other work.
        for keys in (self.folder, self.path("nowhere"), self.window):
            done = run("bench", "run", "--circuit", "porep-32g", "--params", keys, "-c", "1", limit_s=20)
            self.refused(done, "no key for porep-32g", "cuzk setup --circuit porep-32g")
            self.assertLess(done.seconds, 10)
        for option, value in (("--partitions", "3"), ("--witness", "x")):
            self.refused(run("bench", "run", "--circuit", "window-2k", "--params", self.keys, option, value), option)

    def test_timeline_that_is_an_input(self):
        keys, config = self.copy_keys(), self.write("c.toml", "[timeline]\n")
        os.link(config, self.path("hard.toml"))
        names = [self.name + ending for ending in (".params", ".vk", ".origin.json")] + ["window-2k.matrices"]
        before = {name: self.read(os.path.join(keys, name)) for name in names}
        for out in (*(os.path.join(keys, name) for name in names), config, self.path("hard.toml")):
            done = run("bench", "run", "--circuit", "window-2k", "--params", keys, "--config", config, "--timeline", out)
            self.refused(done, out, "an input as well")
        for more in (["--params", keys, "--manifest", config], []):
            done = run("bench", "run", "--circuit", "window-2k", *more, "--timeline", config if more else os.path.join(keys, names[0]),
                       environment={"FIL_PROOFS_PARAMETER_CACHE": keys})
            self.refused(done, "an input as well")
        self.assertEqual({name: self.read(os.path.join(keys, name)) for name in names}, before)
        self.assertEqual(self.read(config), b"[timeline]\n")

    def test_engine_looks_for_the_key_before_any_work(self):
        timeline = self.path("t.csv")
        bench = ["bench", "run", "--circuit", "window-2k", "-c", "1", "--timeline", timeline, "--params"]
        half = self.path("half")
        os.mkdir(half)
        shutil.copy(os.path.join(self.keys, self.name + ".vk"), half)
        empty = self.path("empty")
        os.mkdir(empty)
        for keys, part in ((empty, ".params"), (self.path("nowhere"), "no such folder"), (half, ".params")):
            done = run(*bench, keys)
            self.refused(done, part, "no key for window-2k", "cuzk setup --circuit window-2k --out " + keys)
            self.assertLess(done.seconds, 10)
            self.assertNotIn(b"SYNTH_START", self.read(timeline))
        self.assertEqual((os.listdir(empty), os.listdir(half)), ([], [self.name + ".vk"]))
        self.write("half/" + self.name + ".params", b"")
        self.refused(run(*bench, half), "empty file")
        # Whose folder it is, if the command does not say so; and the command's goes before the environment's.
        variable = "FIL_PROOFS_PARAMETER_CACHE"
        for command in (bench[:-1], ["verify", "window", "--public", self.window + ".public.json", "--proof", self.proof]):
            self.refused(run(*command, environment={variable: empty}), "no key for window-2k", empty, variable)
            done = run(*command, "--params", self.keys, environment={variable: empty})
            self.assertEqual(done.returncode, 0, done.stderr)
            done = run(*command, "--params", empty, environment={variable: self.keys})
            self.refused(done, "no key for window-2k", empty)
            self.assertNotIn(variable, done.stderr)
            self.assertEqual(run(*command, environment={variable: self.keys}).returncode, 0)

    def test_engine_takes_the_keys_that_prove_takes(self):
        bench = ["bench", "run", "--circuit", "window-2k", "--params", self.keys]
        self.refused(run(*bench, "--network-keys"), "--network-keys", self.name + ".vk", "expected")
        manifest = self.write("m.json", json.dumps({self.name + ".vk": {"digest": "00" * 16}}))
        self.refused(run(*bench, "--manifest", manifest, "--network-keys"), manifest, "00000000")
        self.refused(run(*bench, "--manifest", self.path("none")), "none")
        origin = load(os.path.join(self.keys, self.name + ".origin.json"))
        entries = {self.name + ending: {"digest": origin[field][:32]}
                   for ending, field in ((".params", "params_blake2b_512"), (".vk", "vk_blake2b_512"))}
        manifest = self.write("m.json", json.dumps(entries))
        done = run(*bench, "--manifest", manifest, "--network-keys")
        self.assertEqual(done.returncode, 0, done.stderr)
        for option in (["--network-keys"], ["--manifest", manifest]):
            self.refused(run("bench", "run", "--circuit", "synthetic:4", *option), option[0], "synthetic:4")

    def test_json_everywhere(self):
        done = self.prove_window("--partition", "1", "--out", self.path("p"), "--json")
        self.assertEqual(json.loads(done.stdout)["partitions"], [1])
        self.assertEqual(json.loads(done.stdout)["params"], self.keys)
        self.assertTrue(json.loads(self.verify_window(None, None, "--json").stdout)["valid"])
        self.assertEqual(json.loads(run("circuit", "digest", "window-2k", "--json").stdout)["inputs"], 23)
        done = run("params", "check", self.keys, "--json")
        self.assertTrue(json.loads(done.stdout)["good"], done.stderr)
        done = self.prove_window("--out", self.path("p"), "--json", keys=self.path("nowhere"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere", json.loads(done.stdout)["error"]["message"])

    # --- proofs (D-5, B12, B13)

    def test_proof_lengths(self):
        good = self.read(self.proof)
        for length in (0, 1, 191, 193, 383, 385, 576):
            data = (good + good)[:length]
            done = self.verify_window(self.write("p", data))
            self.refused(done, "empty file" if length == 0 else "malformed proof")
        self.refused(self.verify_window(None, None, "--partition", "1"), "384 bytes, expected the 192 of partition 1")

    def test_proof_points(self):
        good = self.read(self.proof)
        self.refused(self.verify_window(self.write("p", ALIAS_G1 + good[48:])), "malformed proof", "partition 0")
        self.refused(self.verify_window(self.write("p", good[:192] + ALIAS_G1 + good[240:])), "malformed proof", "partition 1")
        # The two partitions exchanged, and only the last one wrong.
        done = self.verify_window(self.write("p", good[192:] + good[:192]))
        self.assertEqual(done.returncode, 1)
        done = self.verify_window(self.write("p", good[:192] + good[:192]), None, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["invalid_partitions"]), (1, [1]))

    # --- statements (D-6, E14)

    def changed_statement(self, **changes):
        statement = load(self.window + ".public.json")
        statement.update(changes)
        return self.write("public.json", json.dumps({k: v for k, v in statement.items() if v is not None}))

    def test_statements(self):
        good = load(self.window + ".public.json")
        over, further = (value.to_bytes(32, "little").hex() for value in (R, R + 1))
        sectors = good["sectors"]
        for changes, parts in (
                ({"randomness": over}, ["randomness", "modulus"]),
                ({"randomness": further}, ["randomness", "modulus"]),
                ({"sectors": [{**sectors[0], "comm_r": further}] + sectors[1:]}, ["comm_r", "modulus"]),
                ({"randomness": "00"}, ["randomness", "64 hex digits"]),
                ({"randomness": None}, ["randomness", "missing"]),
                ({"sectors": []}, ["sectors", "none"]),
                ({"sectors": 1}, ["sectors", "array"]),
                ({"sectors": [{"sector_id": -1, "comm_r": over}]}, ["sectors: 0: sector_id"]),
                ({"sectors": [{**sectors[0], "comm_r": over}] + sectors[1:]}, ["comm_r", "modulus"]),
                ({"sector_size": 2 << 30}, ["sector_size", "2147483648"]),
                ({"sector_size": -2147483648}, ["sector_size", "whole number"]),
                ({"api": "2.0"}, ["API version"]),
                ({"partition": 2}, ["partition", "2 of 2"]),
                ({"sectors": sectors[:2]}, ["malformed proof", "expected 192"])):
            self.refused(self.verify_window(None, self.changed_statement(**changes)), *parts)
        for changes in ({"randomness": "01" + good["randomness"][2:]}, {"sectors": sectors[::-1]}):
            self.assertEqual(self.verify_window(None, self.changed_statement(**changes)).returncode, 1, changes)
        text = json.dumps(good)
        for bad, part in (("{", "not valid JSON"), ("[]", "not a JSON object"),
                          (text + "x", f"byte {len(text) + 1}"), (text[:-1], f"byte {len(text)}"),
                          (text.replace("2048", "NaN"), "not valid JSON"), (text.replace("2048", "1e400"), "1e400"),
                          (text[:-1] + ', "randomness": "' + "00" * 32 + '"}', "randomness comes twice"),
                          (text.replace('"sector_id": ', '"sector_id": 1, "sector_id": ', 1), "sector_id comes twice")):
            self.refused(self.verify_window(None, self.write("x", bad)), part)
        porep = load(self.c1 + ".public.json")
        for change, part in (({"porep_id": "00" * 32}, "porep_id"), ({"api": "1.0"}, "api: 1.0"), ({"sector_size": 8 << 20}, "8388608")):
            self.refused(run("verify", "porep", "--public", self.write("x", json.dumps({**porep, **change})), "--proof", self.proof,
                             "--params", self.keys), part, "does not fit registered_proof")

    def test_statements_that_contradict_themselves(self):
        good, zeros = load(self.window + ".public.json"), "00" * 32
        self.assertEqual((good["registered_proof"], "miner_id" in good), ("StackedDrgWindow2KiBV1_2", True))
        for changes, part in (
                ({"registered_proof": "StackedDrgWindow32GiBV1_1"}, "sector_size: 2048 does not fit registered_proof"),
                ({"registered_proof": "nonsense"}, '"nonsense" is unknown'),
                ({"registered_proof": "StackedDrg2KiBV1_1"}, "is unknown"),
                ({"registered_proof": 5}, "registered_proof: expected text"),
                ({"registered_proof": "StackedDrgWinning2KiBV1"}, "none of a window proof"),
                ({"registered_proof": "Winning 1.0.0"}, "none of a window proof"),
                ({"registered_proof": "StackedDrgWindow2KiBV1"}, "api: 1.2 does not fit registered_proof"),
                ({"registered_proof": "Window 1.0.0"}, "api: 1.2 does not fit registered_proof"),
                ({"miner_id": -5}, "miner_id: expected a whole number"), ({"miner_id": "7"}, "miner_id: expected a whole number"),
                ({"miner_id": 1 << 64}, "miner_id: expected a whole number"),
                ({"prover_id": "zz"}, "prover_id"), ({"prover_id": zeros}, "does not fit miner_id"),
                ({"miner_id": good["miner_id"] + 1}, "does not fit miner_id"),
                ({"partitions": 3}, "partitions: 3, such a proof has 2"), ({"partitions": "2"}, "partitions: expected a whole number")):
            self.refused(self.verify_window(None, self.changed_statement(**changes)), part)
        for changes in ({"registered_proof": None}, {"registered_proof": "Window 1.2.0"}, {"api": None}, {"partitions": 2},
                        {"registered_proof": "StackedDrgWindow2KiBV1_1"}, {"miner_id": None}, {"prover_id": None},
                        {"miner_id": None, "prover_id": None}, {"miner_id": None, "prover_id": zeros}):
            done = self.verify_window(None, self.changed_statement(**changes))
            self.assertEqual((done.returncode, done.stdout), (0, "valid\n"), (changes, done.stderr))
        # An API version that only registered_proof states.
        done = self.verify_window(None, self.changed_statement(registered_proof="StackedDrgWindow2KiBV1", api=None))
        self.assertEqual(done.returncode, 1, done.stderr)
        snap = load(self.snap + ".public.json")
        for changes, part in (({"registered_proof": "StackedDrg8MiBV1"}, "sector_size: 2048 does not fit"),
                              ({"registered_proof": "nonsense"}, "is unknown"), ({"miner_id": -5}, "miner_id"),
                              ({"prover_id": "zz"}, "prover_id"), ({"partitions": 2}, "partitions: 2")):
            self.refused(run("verify", "snap", "--public", self.write("x", json.dumps({**snap, **changes})), "--proof", self.proof,
                             "--params", self.keys), part)
        # Right, so far: there is no key for it.
        self.refused(run("verify", "snap", "--public",
                         self.write("x", json.dumps({**snap, "registered_proof": "StackedDrg2KiBV1", "miner_id": 5, "partitions": 1})),
                         "--proof", self.write("p", self.read(self.proof)[:192]), "--params", self.keys), "no key for snap-2k")

    def test_no_sectors(self):
        self.refused(run("prove", "window", "--randomness", self.randomness, "--sector-size", "2KiB", "--params", self.keys, "--out",
                         self.path("p")), "--vanilla", "nothing to prove")
        self.refused(self.prove_window("--out", self.path("p"), vanilla=self.write("empty", b"")), "empty file")
        for names in ([], [""]):
            self.refused(self.prove_window("--out", self.path("p"), vanilla=names), "nothing to prove")
        self.refused(run("verify", "window", "--public", "", "--proof", self.proof, "--params", self.keys), "--public", "empty value")

    # --- keys (D-3, A1 to A4, A6, A8 to A10)

    def test_missing_keys(self):
        for keys, part in ((self.path("nowhere"), "no such folder"), (self.folder, ".params")):
            done = self.prove_window("--out", self.path("p"), keys=keys)
            self.refused(done, part, "no key for window-2k", "cuzk setup --circuit window-2k")
            self.assertLess(done.seconds, 10)
        self.refused(run("verify", "window", "--public", self.window + ".public.json", "--proof", self.proof, "--params",
                         self.folder), ".vk")

    def test_damaged_keys(self):
        for ending, change, part in ((".params", lambda d: b"", "empty file"), (".vk", lambda d: b"", "empty file"),
                                     (".params", lambda d: d[:-1], "digest"),
                                     (".params", lambda d: d[:5000] + bytes([d[5000] ^ 1]) + d[5001:], "digest"),
                                     (".vk", lambda d: d[:500] + bytes([d[500] ^ 1]) + d[501:], "digest"),
                                     (".vk", lambda d: b"<html>" + b"x" * 316, "digest")):
            keys = self.copy_keys()
            target = os.path.join(keys, self.name + ending)
            self.assertEqual(self.prove_window("--partition", "0", "--out", self.path("p"), keys=keys).returncode, 0)
            with open(target, "r+b") as file:
                data = file.read()
                file.seek(0)
                file.truncate()
                file.write(change(data))
            self.refused(self.prove_window("--out", self.path("p"), keys=keys), self.name + ending, part)
            done = run("params", "check", keys, "--json")
            self.assertEqual(done.returncode, 1, done.stderr)
            bad = [f["file"] for f in json.loads(done.stdout)["files"] if f["verdict"] == "bad"]
            self.assertEqual(bad, [self.name + ending])
            shutil.rmtree(keys)

    def test_keys_without_origin_or_of_others(self):
        keys = self.copy_keys()
        self.refused(self.prove_window("--out", self.path("p"), "--network-keys", keys=keys), "--network-keys", "expected")
        manifest = self.write("m.json", json.dumps({self.name + ".vk": {"digest": "00" * 16}}))
        self.refused(self.prove_window("--out", self.path("p"), "--manifest", manifest, "--network-keys", keys=keys), manifest, "00000000")
        os.remove(os.path.join(keys, self.name + ".origin.json"))
        self.refused(self.prove_window("--out", self.path("p"), keys=keys), "origin.json")
        self.write("keys/" + self.name + ".origin.json", "{")
        self.refused(self.prove_window("--out", self.path("p"), keys=keys), "origin.json", "JSON")

    def test_key_of_another_circuit(self):
        keys = self.path("keys")
        done = run("setup", "--circuit", "window-4k", "--out", keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        other = json.loads(run("circuit", "info", "window-4k", "--json").stdout)["key"]
        for ending in (".params", ".vk", ".origin.json"):
            os.rename(os.path.join(keys, other + ending), os.path.join(keys, self.name + ending))
        self.refused(self.prove_window("--out", self.path("p"), keys=keys), self.name, "a key of window-4k", "expected one of window-2k")
        self.refused(self.verify_window(keys=keys), self.name, "a key of window-4k", "expected one of window-2k")
        shutil.copy(os.path.join(self.keys, self.name + ".origin.json"), keys)
        self.refused(self.prove_window("--out", self.path("p"), keys=keys), "digest", "expected")

    def test_key_of_another_circuit_whose_origin_file_says_otherwise(self):
        keys = self.path("keys")
        done = run("setup", "--circuit", "winning-2k", "--out", keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        info, own = (json.loads(run("circuit", "info", name, "--json").stdout) for name in ("winning-2k", "window-2k"))
        # The digests are right, the circuit's name is not.
        origin = load(os.path.join(keys, info["key"] + ".origin.json"))
        good = load(os.path.join(self.keys, self.name + ".origin.json"))
        for ending in (".params", ".vk"):
            os.rename(os.path.join(keys, info["key"] + ending), os.path.join(keys, self.name + ending))
        os.remove(os.path.join(keys, info["key"] + ".origin.json"))
        for digest, found in ((origin["circuit_digest"], "made for another constraint system"), (good["circuit_digest"], None)):
            forged = {**origin, "circuit": "window-2k", "circuit_digest": digest}
            self.write("keys/" + self.name + ".origin.json", json.dumps(forged))
            inputs, aux = (f"found {info[count]}, expected {own[count]}" for count in ("inputs", "aux"))
            self.refused(self.prove_window("--out", self.path("p"), keys=keys), self.name + ".params", "not a key of window-2k",
                         inputs, aux)
            self.refused(self.verify_window(keys=keys), self.name + ".vk", "not a key of window-2k", inputs)
            for more in ([], ["--json"]):
                done = run("params", "check", keys, *more)
                self.assertEqual(done.returncode, 1, done.stdout)
                for ending, counts in ((".params", [inputs, aux]), (".vk", [inputs])):
                    for part in ([found] if found else ["not a key of window-2k", *counts]):
                        self.assertRegex(done.stdout, re.escape(self.name + ending) + ": [^\n]*" + re.escape(part))
            done = run("bench", "run", "--circuit", "window-2k", "--params", keys, "--json")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(json.loads(done.stdout)[0]["proofs_done"], 0)
        # The same without any origin file: nothing says what it is, but it is not what its name says.
        os.remove(os.path.join(keys, self.name + ".origin.json"))
        self.assertEqual(run("params", "check", keys).returncode, 1)
        # Of another sector size: as many public inputs, other counts.
        shutil.rmtree(keys)
        self.assertEqual(run("setup", "--circuit", "window-4k", "--out", keys).returncode, 0)
        other = json.loads(run("circuit", "info", "window-4k", "--json").stdout)
        for ending in (".params", ".vk"):
            os.rename(os.path.join(keys, other["key"] + ending), os.path.join(keys, self.name + ending))
        origin = load(os.path.join(keys, other["key"] + ".origin.json"))
        self.write("keys/" + self.name + ".origin.json", json.dumps({**forged, **{field: origin[field] for field in origin
                                                                                  if "blake2b" in field}}))
        self.refused(self.prove_window("--out", self.path("p"), keys=keys), f"found {other['aux']}, expected {own['aux']}")
        done = run("params", "check", keys)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"found {other['aux']}, expected {own['aux']}", done.stdout)

    def test_params_check_compares_names_and_both_files(self):
        keys, others = self.copy_keys(), self.path("others")
        for folder, circuit in ((others, "window-2k"), (others, "window-4k")):
            self.assertEqual(run("setup", "--circuit", circuit, "--out", folder).returncode, 0)
        other = json.loads(run("circuit", "info", "window-4k", "--json").stdout)["key"]
        # A key of the same circuit, but of another setup; both in the origin file.
        origin, mixed = (load(os.path.join(folder, self.name + ".origin.json")) for folder in (keys, others))
        shutil.copy(os.path.join(others, self.name + ".vk"), keys)
        self.write("keys/" + self.name + ".origin.json", json.dumps({**origin, "vk_blake2b_512": mixed["vk_blake2b_512"]}))
        done = run("params", "check", keys)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("its verifying key is not that of", done.stdout)
        for ending in (".params", ".vk", ".origin.json"):
            shutil.copy(os.path.join(others, other + ending), os.path.join(keys, self.name + ending))
        done = run("params", "check", keys)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("a key of window-4k", done.stdout)

    def test_setup_takes_no_other_keys_place(self):
        keys = self.copy_keys()
        self.assertEqual(run("setup", "--circuit", "window-2k", "--out", keys).returncode, 0)
        os.remove(os.path.join(keys, self.name + ".origin.json"))
        before = self.read(os.path.join(keys, self.name + ".vk"))
        for _ in range(2):
            self.refused(run("setup", "--circuit", "window-2k", "--out", keys), self.name, "no setup made it", "another folder")
            if os.path.exists(os.path.join(keys, self.name + ".params")):
                os.remove(os.path.join(keys, self.name + ".params"))
        self.assertEqual(self.read(os.path.join(keys, self.name + ".vk")), before)
        self.refused(run("setup", "--circuit", "window-2k", "--out", ""), "--out")
        # What is left when a setup is killed while it gives its files their names is no obstacle to the next.
        for left in ([".origin.json"], [".origin.json", ".params"]):
            half = self.path("half" + left[-1])
            os.mkdir(half)
            for ending in left:
                shutil.copy(os.path.join(self.keys, self.name + ending), half)
            self.assertEqual(run("setup", "--circuit", "window-2k", "--out", half).returncode, 0)
            self.assertEqual(run("params", "check", half).returncode, 0)

    def test_setups_at_once_in_one_folder(self):
        keys = self.path("keys")
        running = [subprocess.Popen([CUZK, "setup", "--circuit", "window-2k", "--out", keys], stdout=subprocess.DEVNULL)
                   for _ in range(4)]
        self.assertEqual([process.wait() for process in running], [0] * 4)
        self.assertEqual(run("params", "check", keys).returncode, 0)
        self.assertEqual(self.prove_window("--partition", "0", "--out", self.path("p"), keys=keys).returncode, 0)
        self.assertEqual([name for name in os.listdir(keys) if name.endswith(".part")], [])

    def test_circuit_info_knows_what_counting_finds(self):
        for name in ("window-2k", "winning-2k"):
            known, counted = (run("circuit", "info", name, "--json", *more) for more in ([], ["--count"]))
            self.assertEqual(known.returncode, 0, known.stderr)
            self.assertEqual(json.loads(known.stdout), json.loads(counted.stdout))

    def test_folder_forms(self):
        link = self.path("link")
        os.symlink(self.keys, link)
        for keys in (link, self.keys + "/"):
            self.assertEqual(self.verify_window(keys=keys).returncode, 0)
        done = run("verify", "window", "--public", self.window + ".public.json", "--proof", self.proof,
                   environment={"FIL_PROOFS_PARAMETER_CACHE": self.keys})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(run("verify", "window", "--public", self.window + ".public.json", "--proof", self.proof,
                         environment={"FIL_PROOFS_PARAMETER_CACHE": ""}), "--params")
        done = run("prove", "window", "--vanilla", self.window, "--randomness", self.randomness, "--sector-size", "2KiB", "--partition",
                   "0", "--out", self.path("p"), environment={"FIL_PROOFS_PARAMETER_CACHE": self.keys})
        self.assertIn(f" in {self.keys} by FIL_PROOFS_PARAMETER_CACHE; ", done.stdout)

    def test_folder_that_cannot_be_written(self):
        keys = self.copy_keys()
        for name in ("cuzk-checked.json", "window-2k.matrices"):
            if os.path.exists(os.path.join(keys, name)):
                os.remove(os.path.join(keys, name))
        before = {name: self.read(os.path.join(keys, name)) for name in os.listdir(keys)}
        self.assertEqual(len(before), 3)
        os.chmod(keys, 0o555)
        self.addCleanup(os.chmod, keys, 0o755)
        try:
            touched = subprocess.run(["touch", os.path.join(keys, "x")], capture_output=True, preexec_fn=obey_permissions)
        except subprocess.SubprocessError:
            self.skipTest("root may not give up its rights here")
        self.assertNotEqual(touched.returncode, 0)
        common = ["--vanilla", self.window, "--randomness", self.randomness, "--sector-size", "2KiB", "--partition", "0"]
        for command in (["prove", "window", *common, "--params", keys, "--out", self.path("p")], ["params", "check", keys],
                        ["bench", "run", "--circuit", "window-2k", "--params", keys]):
            done = run(*command, preexec_fn=obey_permissions)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verify_window(self.path("p"), None, "--partition", "0").returncode, 0)
        for command in (["setup", "--circuit", "window-2k", "--out", keys],
                        ["prove", "window", *common, "--params", keys, "--out", os.path.join(keys, "p")]):
            self.refused(run(*command, preexec_fn=obey_permissions), keys, "Permission denied")
        self.assertEqual({name: self.read(os.path.join(keys, name)) for name in os.listdir(keys)}, before)

    def test_disk_that_is_full(self):
        matrices, params = (os.path.getsize(os.path.join(self.keys, name)) for name in ("window-2k.matrices", self.name + ".params"))
        self.assertLess(matrices, params // 4)
        for most, left in ((matrices // 2, []), (matrices, ["window-2k.matrices"]), (params // 2, ["window-2k.matrices"]),
                           (params - 1, ["window-2k.matrices"])):
            keys = self.path(str(most))
            done = run("setup", "--circuit", "window-2k", "--out", keys, preexec_fn=limit_file_sizes(most))
            self.refused(done, self.name + ".params", "cannot write", status=3)
            self.assertEqual(os.listdir(keys), left)
            if left:
                self.assertEqual(self.read(os.path.join(keys, left[0])), self.read(os.path.join(self.keys, left[0])))
        keys = self.path("enough")
        self.assertEqual(run("setup", "--circuit", "window-2k", "--out", keys, preexec_fn=limit_file_sizes(params)).returncode, 0)
        # A key that was there stays, whole.
        before = {name: self.read(os.path.join(keys, name)) for name in os.listdir(keys)}
        done = run("setup", "--circuit", "window-2k", "--out", keys, preexec_fn=limit_file_sizes(params // 2))
        self.refused(done, "cannot write", status=3)
        self.assertEqual({name: self.read(os.path.join(keys, name)) for name in os.listdir(keys)}, before)
        for most, command in ((300, ["prove", "window", "--vanilla", self.window, "--randomness", self.randomness, "--sector-size",
                                     "2KiB", "--params", keys, "--out", self.path("p"), "--public", self.path("public.json")]),
                              (600, ["gen", "window", "--sector-size", "2KiB", "--out", self.path("g")])):
            done = run(*command, preexec_fn=limit_file_sizes(most))
            self.refused(done, "cannot write", status=3)
        self.assertEqual([name for name in os.listdir(self.folder) if name[0] in "pg"], [])

    def test_links_under_names_that_the_program_chooses(self):
        # Whoever can write the folder must not choose what prove and params check write over.
        keys = self.copy_keys()
        for command in (["params", "check", keys], ["prove"]):
            for name in ("cuzk-checked.json", "window-2k.matrices"):
                path, target = os.path.join(keys, name), self.write("precious", "precious")
                if os.path.exists(path):
                    os.remove(path)
                os.symlink(target, path)
                done = self.prove_window("--partition", "0", "--out", self.path("p"), keys=keys) if command == ["prove"] else run(*command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.read(target), b"precious", name)
        self.assertFalse(any(os.path.islink(os.path.join(keys, name)) for name in os.listdir(keys)))

    def test_record_of_other_bytes(self):
        # The file decides, not what is remembered of one that had the same size and time.
        keys = self.copy_keys()
        record = os.path.join(keys, "cuzk-checked.json")
        for again in (lambda: run("params", "check", keys),
                      lambda: self.prove_window("--partition", "0", "--out", self.path("p"), keys=keys)):
            self.assertEqual(run("params", "check", keys).returncode, 0)
            stale = load(record)
            for entry in stale.values():
                entry["blake2b_512"] = "00" * 64
            self.write("keys/cuzk-checked.json", json.dumps(stale))
            done = again()
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            self.assertNotEqual(load(record)[self.name + ".params"]["blake2b_512"], "00" * 64)

    def test_params_check_of_origins(self):
        keys = self.copy_keys()
        origin = os.path.join(keys, self.name + ".origin.json")
        good = load(origin)
        self.write("keys/" + self.name + ".origin.json", json.dumps({**good, "circuit_digest": "00" * 32}))
        self.assertIn("another constraint system", run("params", "check", keys).stdout)
        # Nothing that a file says reaches the terminal as a command or as a line of its own.
        self.write("keys/" + self.name + ".origin.json", json.dumps({**good, "circuit": "\x1b[31m\nx.params: network"}))
        done = run("params", "check", keys)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 2), done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        os.remove(origin)
        os.mkdir(origin)
        done = run("params", "check", keys)
        self.assertEqual(done.returncode, 1)
        self.assertIn(origin + ": not a regular file", done.stdout)

    def test_params_check_of_a_folder_that_cannot_be_listed(self):
        keys = self.copy_keys()
        os.chmod(keys, 0o311)
        os.chmod(self.folder, 0o755)
        # Root lists any folder; another user may not reach the program where it lies.
        user = {} if os.geteuid() != 0 else {"user": 65534, "group": 65534, "extra_groups": []}
        program = shutil.copy(CUZK, self.path("cuzk"))
        try:
            done = subprocess.run([program, "params", "check", keys], capture_output=True, text=True, cwd="/", **user)
        except OSError as error:
            self.skipTest(f"no other user can be had, or reaches the folder for temporary files: {error}")
        finally:
            os.chmod(keys, 0o755)
        self.refused(done, keys, "cannot list")

    def test_params_check(self):
        keys = self.copy_keys()
        both = [subprocess.Popen([CUZK, "params", "check", keys, "--json"], stdout=subprocess.PIPE) for _ in range(2)]
        for process in both:
            out, _ = process.communicate()
            self.assertTrue(json.loads(out)["good"])
        done = run("params", "check", keys, "--json")
        self.assertEqual([f["remembered"] for f in json.loads(done.stdout)["files"]], [True, True])
        params, vk = (os.path.join(keys, self.name + ending) for ending in (".params", ".vk"))
        os.rename(vk, vk + ".away")
        done = run("params", "check", keys)
        self.assertEqual(done.returncode, 1)
        self.assertIn("a key is both files", done.stdout)
        os.rename(vk + ".away", vk)
        os.rename(params, params + ".away")  # enough to verify with
        self.assertEqual(run("params", "check", keys).returncode, 0)
        self.refused(run("params", "check", self.folder), "no .params")
        self.refused(run("params", "check", self.path("nowhere")), "no such folder")

    def test_options_of_file_commands_are_refused_beside_a_kind(self):
        none = self.path("none")
        for option in ("--zkey", "--r1cs", "--witness", "--proof-bin", "--check"):
            self.refused(self.prove_window("--out", self.path("p"), option, none), option, "prove window")
        self.refused(self.verify_window(None, None, "--vk", none), "--vk", "verify window")
        done = run("verify", "--proof", none, "window", "--public", self.window + ".public.json", "--proof", self.proof, "--params",
                   self.keys)
        self.refused(done, "--proof", "after window")
        self.assertEqual(self.verify_window(None, None, "--json", "--threads", "1").returncode, 0)

    def test_whole_numbers(self):
        for bad in ("-1", "18446744073709551616", "99999999999999999999999", "", "010", "1e3", "1.0", "f01000", " 1"):
            for command in (["gen", "window", "--sector-size", "2KiB", "--out", self.path("g"), "--seed"],
                            ["witness", "porep", "--c1", self.c1, "--sector", "1", "--miner"],
                            ["verify", "window", "--public", "x", "--proof", "x", "--partition"],
                            ["circuit", "info", "porep-2k", "--threads"], ["bench", "run", "--circuit", "synthetic:4", "-c"]):
                self.refused(run(*command, bad), command[-1].lstrip("-"))
        for good in ("0", "18446744073709551615", "0x10"):
            self.assertEqual(run("gen", "window", "--sector-size", "2KiB", "--out", self.path("g"), "--seed", good).returncode, 0)
        for bad in ("0", "100001", "18446744073709551615"):
            self.refused(run("gen", "window", "--sector-size", "2KiB", "--out", self.path("x"), "--sectors", bad), "--sectors", bad)
        self.assertFalse(os.path.exists(self.path("x")))

    def test_empty_values(self):
        for option in ("--api", "--randomness", "--blinding", "--public", "--manifest", "--params", "--device", "--sector-size"):
            more = [] if option in ("--randomness", "--params", "--sector-size") else ["--partition", "0"]
            arguments = ["prove", "window", "--vanilla", self.window, "--out", self.path("p"), *more]
            for name, value in (("--randomness", self.randomness), ("--params", self.keys), ("--sector-size", "2KiB")):
                if name != option:
                    arguments += [name, value]
            self.refused(run(*arguments, option, ""), option, "empty value")
        self.refused(self.porep(self.c1, *self.ids(), "--porep-id", ""), "--porep-id", "empty value")

    def test_outputs_that_are_inputs(self):
        copy = self.write("window", self.read(self.window))
        os.symlink(copy, self.path("link"))
        for out in (copy, self.path("link")):
            self.refused(self.prove_window("--out", out, vanilla=copy), "an input as well")
            done = run("witness", "window", "--vanilla", copy, "--randomness", self.randomness, "--sector-size", "2KiB", "--partition",
                       "0", "--out", out)
            self.refused(done, "an input as well")
        self.assertEqual(self.read(copy), self.read(self.window))
        keys = self.copy_keys()
        before = {name: self.read(os.path.join(keys, name)) for name in os.listdir(keys)}
        for name in sorted(before):
            for options in (["--out", os.path.join(keys, name)], ["--out", self.path("p"), "--public", os.path.join(keys, name)]):
                self.refused(self.prove_window(*options, keys=keys), "an input as well")
        self.assertEqual({name: self.read(os.path.join(keys, name)) for name in os.listdir(keys)}, before)
        manifest = self.write("m.json", "{}")
        self.refused(self.prove_window("--out", manifest, "--manifest", manifest), "an input as well")

    def test_outputs_are_tried_before_the_work(self):
        out = os.path.join(self.path("nowhere"), "x")
        for arguments in (["circuit", "write", "porep-32g", "--out", out], ["witness", "snap", "--vanilla", "x", "--out", out]):
            done = run(*arguments, limit_s=20)
            self.refused(done, "nowhere")
            self.assertLess(done.seconds, 10)

    def test_blinding_is_read_first(self):
        for text in ("1", "1,", "1,x", "1,2,3", f"{R:x},1"):
            self.refused(self.prove_window("--partition", "0", "--out", self.path("p"), "--blinding", text, keys=self.path("nowhere")),
                         "--blinding")

    def test_stored_matrices_that_are_no_such_file_or_damaged(self):
        keys = self.copy_keys()
        matrices = os.path.join(keys, "window-2k.matrices")
        data = self.read(matrices)
        os.remove(matrices)
        os.mkfifo(matrices)
        self.assertEqual(self.prove_window("--partition", "0", "--out", self.path("p"), keys=keys).returncode, 0)
        refused = 0
        for place in range(len(data) // 8, len(data) // 4, 2000):
            os.remove(matrices)
            self.write("keys/window-2k.matrices", data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
            done = self.prove_window("--partition", "0", "--out", self.path("q"), keys=keys)
            if done.returncode != 0:
                refused += 1
                self.refused(done, "window-2k.matrices", "damaged", "delete it")
        self.assertGreater(refused, 0)

    def test_files_too_large_are_not_read(self):
        large = self.path("large")
        with open(large, "wb") as file:
            file.truncate(3 << 30)
        self.refused(self.verify_window(large), "malformed proof", "3221225472")
        self.refused(self.porep(large), "3221225472 bytes, expected at most")
        self.refused(self.prove_window("--out", self.path("p"), vanilla=large), "3221225472 bytes, expected at most")

    # --- inputs (D-9, E1, E2, F12, F15)

    def porep(self, c1, *more):
        return run("witness", "porep", "--c1", c1, *more)

    def statement(self):
        return load(self.c1 + ".public.json")

    def ids(self):
        return ["--miner", str(self.statement()["miner_id"]), "--sector", str(self.statement()["sector_id"])]

    def test_c1_forms(self):
        good = self.read(self.c1).decode()
        number, miner = self.statement()["sector_id"], self.statement()["miner_id"]
        envelope = json.dumps({"SectorNum": number, "Phase1Out": base64.b64encode(good.encode()).decode(), "SectorSize": 2048})
        wrapped = json.dumps({"c1out": json.loads(good), "sector_id": number, "miner_id": miner})
        for c1, more in ((self.c1, self.ids()), (self.write("e", envelope), ["--miner", str(miner)]),
                         (self.write("w", wrapped), [])):
            done = self.porep(c1, *more, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(json.loads(done.stdout)["satisfied"])
        first = json.loads(good)["comm_r"][0]
        for bad in ("NaN", "-1", "1.5", "null", "true", "18446744073709551616"):
            self.refused(self.porep(self.write("c1", good.replace(f'"comm_r":[{first},', f'"comm_r":[{bad},')), *self.ids()),
                         "comm_r", "expected a number", "found " + bad)
        for text, part in (("\ufeff" + good, "byte 0: expected the opening brace of an object, found byte ef, a byte order mark"),
                           ("\0" * 500, "byte 0"), (good + "{}", f"byte {len(good)}: text after"),
                           (envelope.replace("2048", "0"), "SectorSize: 0"), (good[:-1] + ',"sector_size":0}', "sector_size: 0"),
                           (json.dumps({"SectorNum": number, "SectorSize": 2048}), "neither Phase1Out nor c1out"),
                           (good[:-1] + ',"comm_r":[]}', "comm_r comes twice")):
            self.refused(self.porep(self.write("c1", text), *self.ids()), part)
        for text, part in ((good + "x", "text after"), (good[:-1], "c1"), (good[:1000], "c1"), ("[]", "object"), ("", "empty file"),
                           (envelope.replace("2048", "8388608"), "SectorSize"),
                           (envelope.replace('"Phase1Out": "', '"Phase1Out": "*'), "Phase1Out"),
                           (good.replace("2KiBV1_1", "8MiBV1_1"), "StackedDrg8MiB"),
                           (good.replace("StackedDrg2KiBV1_1", "StackedDrg2GiBV1_1"), "StackedDrg2GiBV1_1")):
            self.refused(self.porep(self.write("c1", text), *self.ids()), part)
        self.refused(self.porep(self.c1), "--miner and --sector")
        self.refused(self.porep(self.write("e", envelope), "--miner", str(miner), "--sector", str(number + 1)), "--sector")
        self.refused(self.porep(self.c1, "--miner", str(miner + 1), "--sector", str(number)), "replica_id")
        prover = list(bytes.fromhex(self.statement()["prover_id"]))
        proved = {"c1out": json.loads(good), "sector_id": number, "prover_id": prover}
        self.assertEqual(self.porep(self.write("w", json.dumps(proved))).returncode, 0)
        for check in ([], ["--no-input-check"]):
            self.refused(self.porep(self.path("w"), "--miner", str(miner + 1), *check), self.path("w"), "prover_id", "not that of miner")

    def test_statement_that_is_not_known(self):
        done = run("prove", "porep", "--c1", self.c1, "--no-input-check", "--params", self.path("nowhere"), "--out", self.path("p"),
                   "--public", self.path("s"))
        self.refused(done, "--public", "--miner and --sector")

    def test_values_that_are_no_field_elements(self):
        c1, snap = json.loads(self.read(self.c1)), load(self.snap + ".public.json")
        for value in (R, R + 1, (1 << 256) - 1):
            data = list(value.to_bytes(32, "little"))
            hexed = bytes(data).hex()
            self.refused(self.prove_window("--out", self.path("p"), randomness=hexed), "randomness " + hexed, "modulus")
            for field in ("comm_r_old", "comm_d_new", "comm_r_new"):
                options = []
                for name in ("comm_r_old", "comm_d_new", "comm_r_new"):
                    options += ["--" + name.replace("_", "-"), hexed if name == field else snap[name]]
                done = run("witness", "snap", "--vanilla", self.snap, "--sector-size", "2KiB", "--partition", "0", *options)
                self.refused(done, field + " " + hexed, "modulus")
            self.refused(self.porep(self.write("c1", json.dumps({**c1, "comm_r": data})), *self.ids()), "comm_r " + hexed, "modulus")
            changed = json.loads(json.dumps(c1))
            changed["vanilla_proofs"]["StackedDrg2KiBV1"][0][1]["comm_d_proofs"]["data"]["Single"]["leaf"] = data
            done = self.porep(self.write("c1", json.dumps(changed)), *self.ids(), "--no-input-check")
            self.refused(done, "partition 0: challenge 1: comm_d_proofs", "leaf", hexed, "modulus")

    def test_cut_inputs_say_where_they_end(self):
        good = self.read(self.c1).decode()
        number, miner = self.statement()["sector_id"], self.statement()["miner_id"]
        text = base64.b64encode(good.encode()).decode()
        envelope = json.dumps({"SectorNum": number, "Phase1Out": text, "SectorSize": 2048})
        wrapped = json.dumps({"c1out": json.loads(good), "sector_id": number, "miner_id": miner})
        # The last byte that is there, or what stands where the closing brace should.
        for whole, more in ((good, self.ids()), (envelope, ["--miner", str(miner)]), (wrapped, [])):
            for length in (len(whole) - 1, len(whole) - 2, len(whole) // 2, 1000, 1):
                cut = whole[:length].rstrip()
                self.refused(self.porep(self.write("cut", cut), *more), f"cut: byte {len(cut) - 1}:", "cut short")
        inner = base64.b64encode(good[:1000].encode()).decode()
        for changed, part in ((envelope.replace(text, text[:1000]), "Phase1Out: byte 749:"), (envelope.replace(text, inner), "byte 999:"),
                              (envelope.replace(text, text[:400] + "*" + text[401:]), "Phase1Out: base64 text with a character outside "
                               "the alphabet at 400"), (envelope.replace(text, text[:1001]), "multiple of 4")):
            self.refused(self.porep(self.write("cut", changed), "--miner", str(miner)), "cut: ", part)
        data = self.read(self.window)
        for length in (len(data) - 1, len(data) // 2, len(data) // 3 + 1, 5):
            done = self.prove_window("--out", self.path("p"), vanilla=self.write("cut", data[:length]))
            self.refused(done, f"vanilla proof {3 * length // len(data)}: ", " at byte ", f"the file ends after {length} bytes")

    def test_changed_fields(self):
        good = json.loads(self.read(self.c1))
        challenge = good["vanilla_proofs"]["StackedDrg2KiBV1"][0][1]
        challenge["comm_d_proofs"]["data"]["Single"]["leaf"][3] ^= 1
        changed = self.write("c1", json.dumps(good))
        self.refused(self.porep(changed, *self.ids()), changed + ": partition 0: challenge 1: comm_d_proofs")
        done = self.porep(changed, *self.ids(), "--no-input-check", "--json")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["first_unsatisfied"]["path"], "challenge_1/comm_d_inclusion/enforce root is correct")

    def test_one_bad_sector_among_many(self):
        data = bytearray(self.read(self.window))
        size = len(data) // 3
        number = load(self.window + ".public.json")["sectors"][2]["sector_id"]
        data[2 * size + 300] ^= 1
        self.refused(self.prove_window("--out", self.path("p"), vanilla=self.write("v", bytes(data))), f"sector {number}", "challenge")
        done = self.prove_window("--out", self.path("p"), "--no-input-check", "--partition", "1", vanilla=self.write("v", bytes(data)))
        self.refused(done, "partition 1", "does not satisfy the circuit", "outer namespace/sector_0/challenge_inclusion_")
        self.assertFalse(os.path.exists(self.path("p")))
        # With other randomness the paths are right, but of leaves that were not challenged.
        done = self.prove_window("--out", self.path("p"), "--no-input-check", randomness="01" * 32)
        self.refused(done, "not what a verifier derives")

    def test_vanilla_files_one_by_one(self):
        data = self.read(self.window)
        size = len(data) // 3
        files = [self.write(f"s{i}", data[i * size:(i + 1) * size]) for i in range(3)]
        done = self.prove_window("--partition", "1", "--out", self.path("p"), vanilla=files)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verify_window(self.path("p"), None, "--partition", "1").returncode, 0)
        files[1] = self.write("s1", data[size:2 * size - 40] + b"\0" * 40)
        self.refused(self.prove_window("--out", self.path("p"), vanilla=files), files[0] + " and 2 more files: sector", "comm_r")
        self.refused(self.prove_window("--out", self.path("p"), vanilla=self.write("cut", data[:-1])), "cut", "vanilla proof 2", "byte")
        self.refused(self.prove_window("--out", self.path("p"), vanilla=self.write("long", data + b"x")), "long", "byte")

    def test_help_of_kinds(self):
        for command in ("prove", "verify", "witness", "gen"):
            for kind in ("porep", "winning", "window", "snap"):
                done = run(command, kind, "--help")
                self.assertEqual(done.returncode, 0, done.stderr)
                for part in ("--json", "--threads"):
                    self.assertIn(part, done.stdout)
        self.assertNotIn("C1", run("verify", "porep", "--help").stdout)

    def test_no_more_files(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
        done = subprocess.run([CUZK, "verify", "window", "--public", self.window + ".public.json", "--proof", self.proof, "--params",
                               self.keys], capture_output=True, text=True, preexec_fn=limit)
        self.refused(done, "Too many open files", status=3)

    def test_sizes_and_names(self):
        for size in ("2GiB", "-2147483648", "34359738367", ""):
            self.refused(run("gen", "winning", "--sector-size", size, "--out", self.path("x")), "sector")
        for size in ("34359738368", "32GiB", "32g", "68719476736"):
            self.assertEqual(run("gen", "winning", "--sector-size", size, "--out", self.path("x")).returncode, 0)
        self.refused(run("circuit", "info", "porep-2g"), "porep-2g", "porep-2k")
        self.refused(run("setup", "--circuit", "porep-33g", "--out", self.path("k")), "porep-33g")
        for bad in (["circuit"], ["circuit", "info"], ["witness"], ["gen", "porep"], ["params"], ["prove", "nope"],
                    ["verify", "window"]):
            self.assertEqual(run(*bad).returncode, 2, bad)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
