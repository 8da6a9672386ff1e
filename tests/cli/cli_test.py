#!/usr/bin/env python3
"""Drives the cuzk program as a user would: what it prints, what it writes, how it ends; above all on bad input.

Usage: cli_test.py CUZK DATA, the program and tests/data. Names like D-2, A15 or F3 are families of reported faults.
"""
import errno
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

CUZK, DATA = sys.argv[1], sys.argv[2]
R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
P = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab
# On the curve, outside the subgroup: x = 4, uncompressed.
OUTSIDE_G1 = bytes.fromhex(
    "00" * 47 + "04" + "0a989badd40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706c")
# Compressed, x = p + 4: the same point in a form that is not canonical.
ALIAS_G1 = bytes.fromhex("9a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaaf")
GENERATOR_G2 = bytes.fromhex(
    "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
    "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be"
    "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801")


def run(*arguments, limit_s=60, **more):
    begin = time.monotonic()
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    done = subprocess.run([CUZK, *arguments], text=True, errors="surrogateescape", timeout=limit_s, **more)
    done.seconds = time.monotonic() - begin
    return done


def limited(which, most):
    """For preexec_fn: a limit of the process, as ulimit sets it."""
    return lambda: resource.setrlimit(which, (most, most))


def section(kind, content):
    return struct.pack("<IQ", kind, len(content)) + content


def wtns_file(values):
    header = struct.pack("<I", 32) + R.to_bytes(32, "little") + struct.pack("<I", len(values))
    return b"wtns" + struct.pack("<II", 2, 2) + section(1, header) + section(2, b"".join(v.to_bytes(32, "little") for v in values))


def squares_r1cs(count):
    """A circuit that squares a private number `count` times; the last square is public."""
    def term(wire):
        return struct.pack("<II", 1, wire) + (1).to_bytes(32, "little")
    wires = [2 + i for i in range(count)] + [1]  # the input, its squares, the public one
    rows = b"".join(term(wires[i]) + term(wires[i]) + term(wires[i + 1]) for i in range(count))
    header = struct.pack("<I", 32) + R.to_bytes(32, "little") + struct.pack("<IIIIQI", 2 + count, 1, 0, 1, 2 + count, count)
    return b"r1cs" + struct.pack("<II", 1, 2) + section(1, header) + section(2, rows)


def patched(data, offset, replacement):
    return data[:offset] + replacement + data[offset + len(replacement):]


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cuzk-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def data(self, name):
        return os.path.join(DATA, "groth16", name)

    def read(self, name):
        with open(name if os.path.isabs(name) else self.data(name), "rb") as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def refused(self, done, *parts, status=2):
        """Ends with the status, says all of `parts` on standard error, and quickly."""
        self.assertEqual(done.returncode, status, (done.stderr, done.stdout))
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertLess(done.seconds, 5)

    def prove(self, *more, params=None, r1cs=None, witness=None, out="p.json", **process):
        return run("prove", "--params", params or self.data("tiny.params"), "--r1cs", r1cs or self.data("tiny.r1cs"),
                   "--witness", witness or self.data("tiny.wtns"), "--out", self.path(out), *more, **process)

    # B1: a device that is not there is an error, never another device in its place.
    def test_devices(self):
        done = run("devices", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        devices = json.loads(done.stdout)["devices"]
        self.assertEqual((devices[0]["device"], devices[0]["usable"]), ("cpu", True))
        self.assertGreater(len(devices), 1)
        for device in devices[1:]:
            self.assertEqual("why_not" in device, not device["usable"], device)
        text = run("devices").stdout
        self.assertTrue(text.startswith("cpu      usable: "), text)
        for device in devices[1:]:
            self.assertIn(device.get("why_not", "usable: "), text)

        self.refused(self.prove("--device", "cuda:77"), "--device cuda:77: ", status=3)
        for name in ("gpu", "cuda:", "cuda:-1", "cuda:1x"):
            self.refused(self.prove("--device", name), "expected cpu, cuda or cuda:N")
        self.refused(self.prove("--device", ""), "--device: found an empty value")
        self.assertFalse(os.path.exists(self.path("p.json")))
        done = self.prove("--device", "cuda", "--json")
        if any(d["device"] == "cuda:0" and d["usable"] for d in devices):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(json.loads(done.stdout)["device"].startswith("cuda:0"))
        else:
            self.refused(done, "--device cuda: ", status=3)
            self.assertFalse(os.path.exists(self.path("p.json")))
        self.assertEqual(self.prove("--device", "cpu").returncode, 0)

    def prove_tiny(self):
        done = self.prove("--proof-bin", self.path("p.bin"), "--public", self.path("pub.json"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def verify(self, proof=None, public=None, vk=None):
        return run("verify", "--vk", vk or self.data("tiny.vk"), "--proof", proof or self.path("p.json"), "--public",
                   public or self.path("pub.json"))

    # --- the main path

    def test_prove_verify_every_form(self):
        self.prove_tiny()
        for proof in ("p.json", "p.bin"):
            done = self.verify(proof=self.path(proof))
            self.assertEqual((done.returncode, done.stdout.strip()), (0, "valid"), done.stderr)
        self.assertEqual(run("convert", self.data("tiny.vk"), self.path("vk.json")).returncode, 0)
        self.assertEqual(self.verify(vk=self.path("vk.json")).returncode, 0)
        self.assertEqual(run("convert", self.path("p.bin"), self.path("q.json")).returncode, 0)
        self.assertEqual(self.read(self.path("q.json")), self.read(self.path("p.json")))
        self.assertEqual(run("convert", self.path("p.json"), self.path("q.bin")).returncode, 0)
        self.assertEqual(self.read(self.path("q.bin")), self.read(self.path("p.bin")))

    def test_setup_every_form(self):
        for ending in ("params", "zkey"):
            done = run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k." + ending), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["vk"], self.path("k.vk"))
            done = run("prove", "--" + ending, self.path("k." + ending), "--r1cs", self.data("tiny.r1cs"), "--witness",
                       self.data("tiny.wtns"), "--out", self.path("p.json"), "--public", self.path("pub.json"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.verify(vk=self.path("k.vk")).returncode, 0)
            self.assertEqual(run("inspect", self.path("k." + ending), "--check").returncode, 0)
        self.assertEqual(run("convert", self.path("k.zkey"), self.path("c.params")).returncode, 0)
        self.assertEqual(self.prove("--public", self.path("pub.json"), params=self.path("c.params")).returncode, 0)
        self.assertEqual(self.verify(vk=self.path("k.vk")).returncode, 0)

    def test_foreign_zkey(self):
        values = [1, 561, 3, 11, 17, 33]
        wtns = self.write("w.wtns", wtns_file(values))
        done = run("prove", "--zkey", self.data("ak-381.zkey"), "--witness", wtns, "--out", self.path("p.json"), "--public",
                   self.path("pub.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        vk = self.data("ak-381.verification_key.json")
        self.assertEqual(self.verify(vk=vk).returncode, 0)
        self.assertEqual(self.verify(vk=vk, proof=self.data("ak-381.proof.json"),
                                     public=self.data("ak-381.public.json")).returncode, 0)

    def test_json_everywhere(self):
        self.prove_tiny()
        for done in (self.prove("--json"), run("inspect", self.data("tiny.r1cs"), "--json"),
                     run("convert", self.path("p.bin"), self.path("q.json"), "--json"),
                     run("verify", "--vk", self.data("tiny.vk"), "--proof", self.path("p.json"), "--public",
                         self.path("pub.json"), "--json")):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIsInstance(json.loads(done.stdout), dict)
        done = run("inspect", self.path("nothing"), "--json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing", json.loads(done.stdout)["error"]["message"])

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"^cuzk \d+\.\d+\.\d+ .*instruction sets: ")
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run().returncode, 2)
        for bad in (["nope"], ["prove"], ["prove", "--nope"], ["verify", "--vk"]):
            self.assertEqual(run(*bad).returncode, 2, bad)

    def test_json_of_wrong_usage(self):
        for arguments in (["prove", "--json"], ["verify", "--json", "--nope"], ["--json"], ["nope", "--json"],
                          ["inspect", self.data("tiny.vk"), "--json", "--threads", "-1"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("message", json.loads(done.stdout)["error"])
            self.assertIn("cuzk: error: ", done.stderr)
        self.assertIn("instruction_sets", json.loads(run("--version", "--json").stdout))
        for threads in ("-1", "100000", "18446744073709551615", "two"):
            self.refused(run("inspect", self.data("tiny.vk"), "--threads", threads), "--threads")

    def test_names_and_texts_of_any_bytes(self):
        self.prove_tiny()
        name = os.path.join(os.fsencode(self.folder), b"\xff\xfe.json")
        shutil.copy(self.path("p.json"), name)
        done = run("inspect", name, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kind"], "snarkjs proof (JSON)")
        self.assertIn("error", json.loads(run("inspect", name + b"x", "--json").stdout))
        text = json.loads(self.read(self.path("p.json")))
        bad = self.write("bad.json", json.dumps({**text, "pi_a": ["\x1b[2J\r\n", "1", "1"]}))
        done = self.verify(proof=bad)
        self.refused(done, "bad.json")
        self.assertNotIn("\x1b", done.stderr)

    def test_closed_streams(self):
        def close():
            for stream in (0, 1, 2):
                os.close(stream)
        done = run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k.params"), preexec_fn=close)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(run("inspect", self.path("k.params"), "--check").returncode, 0)

    def stopped_for_a_while(self, stderr):
        """A setup that takes more than two seconds because it was stopped for as long, once it had begun."""
        r1cs = self.write("c.r1cs", squares_r1cs(8000))
        child = subprocess.Popen([CUZK, "setup", "--r1cs", r1cs, "--out", self.path("k.zkey"), "--threads", "1"], stderr=stderr,
                                 stdout=subprocess.PIPE)
        deadline = time.monotonic() + 10
        while stderr != subprocess.PIPE and len(os.listdir(f"/proc/{child.pid}/task")) < 2 and time.monotonic() < deadline:
            time.sleep(0.001)  # until the thread that shows progress is there
        time.sleep(0.05)
        child.send_signal(signal.SIGSTOP)
        time.sleep(2.1)
        child.send_signal(signal.SIGCONT)
        return child

    @staticmethod
    def all_of_terminal(terminal):
        """What was written to a terminal whose other side is closed; what is there arrives in pieces."""
        text = b""
        while True:
            try:
                piece = os.read(terminal, 10000)
            except OSError as error:  # how Linux says that the other side is closed and everything was read
                if error.errno != errno.EIO:
                    raise
                return text
            if not piece:
                return text
            text += piece

    def test_progress_on_a_terminal(self):
        terminal, end = os.openpty()
        child = self.stopped_for_a_while(end)
        os.close(end)
        self.assertEqual(child.wait(), 0)
        child.stdout.close()
        text = self.all_of_terminal(terminal)
        os.close(terminal)
        self.assertIn(b"setup", text)
        self.assertTrue(text.endswith(b"\r\x1b[K"), text)  # erased at the end

    def test_quiet_when_piped(self):
        self.assertEqual(self.prove().stderr, "")
        self.assertEqual(self.stopped_for_a_while(subprocess.PIPE).communicate()[1], b"")

    # --- invalid proofs: the answer is no

    def test_wrong_statement_is_invalid(self):
        self.prove_tiny()
        public = json.loads(self.read(self.path("pub.json")))
        public[0] = str((int(public[0]) + 1) % R)
        done = self.verify(public=self.write("other.json", json.dumps(public)))
        self.assertEqual(done.returncode, 1)
        self.assertIn("invalid", done.stdout)

    def test_exchanged_points_are_invalid(self):
        self.prove_tiny()
        proof = self.read(self.path("p.bin"))
        swapped = proof[144:] + proof[48:144] + proof[:48]
        self.assertEqual(self.verify(proof=self.write("swapped.bin", swapped)).returncode, 1)

    # --- proofs: D-5, F1, F3, F5 to F9, F11, F16

    def test_malformed_proofs(self):
        self.prove_tiny()
        proof = self.read(self.path("p.bin"))
        for name, content in {
                "empty": b"", "one": proof[:1], "short": proof[:191], "long": proof + b"\0", "two": proof + proof,
                "alias": ALIAS_G1 + proof[48:], "flag": bytes([proof[0] & 0x7f]) + proof[1:],
                "infinity": b"\xc0" + bytes(47) + proof[48:], "bad infinity": b"\xc0" + bytes(46) + b"\1" + proof[48:],
                "noble infinity": b"\x80" + bytes(47) + proof[48:]}.items():
            self.refused(self.verify(proof=self.write("bad.bin", content)), "bad.bin")
        text = json.loads(self.read(self.path("p.json")))
        changes = [("curve", "bn128"), ("protocol", "plonk"), ("pi_a", []), ("pi_b", "x"), ("pi_a", ["0", "0", "0"])]
        for key, value in changes:
            self.refused(self.verify(proof=self.write("bad.json", json.dumps({**text, key: value}))), "bad.json")
        x = int(text["pi_a"][0])
        for bad in (str(x + P), str(x + 1), "-1", "", "1e5"):
            self.refused(self.verify(proof=self.write("bad.json", json.dumps({**text, "pi_a": [bad] + text["pi_a"][1:]}))),
                         "bad.json")
        outside = [str(4), str(int.from_bytes(OUTSIDE_G1[48:], "big")), "1"]
        self.refused(self.verify(proof=self.write("bad.json", json.dumps({**text, "pi_c": outside}))), "subgroup")
        deep = "[" * 10**6 + "]" * 10**6
        for broken in ("{", "[]", "nul", '{"pi_a":', "\xff\xfe", deep, '{"protocol": ' + deep + "}"):
            self.refused(self.verify(proof=self.write("bad.json", broken)), "bad.json")

    def test_public_inputs(self):
        self.prove_tiny()
        public = json.loads(self.read(self.path("pub.json")))
        self.refused(self.verify(public=self.write("few.json", json.dumps(public[:-1]))), "too few")
        self.refused(self.verify(public=self.write("many.json", json.dumps(public + ["1"]))), "too many")
        for value in (R, R + 1, int(public[0]) + R):
            done = self.verify(public=self.write("big.json", json.dumps([str(value)] + public[1:])))
            self.refused(done, "big.json")
        hexadecimal = [hex(int(v)) for v in public]
        self.assertEqual(self.verify(public=self.write("hex.json", json.dumps(hexadecimal))).returncode, 0)
        self.refused(self.verify(public=self.write("float.json", "[1.5, 2]")), "float.json")
        self.refused(self.verify(public=self.write("huge.json", "[" + str(2**60) + "123456789, 2]")), "huge.json")

    # --- keys: D-1 to D-3, A1, A5, A8, A12, A15, A16, A19, F4, F13

    def test_damaged_params(self):
        good = self.read("tiny.params")
        for name, content in {
                "empty.params": b"", "cut.params": good[:-1], "half.params": good[:len(good) // 2],
                "longer.params": good + b"\0", "page.params": b"<html>" + b"x" * 316, "head.params": good[:100],
                "zeros.params": bytes(len(good))}.items():
            self.refused(self.prove(params=self.write(name, content)), name)
            self.assertFalse(os.path.exists(self.path("p.json")))
        self.refused(self.prove(params=self.write("empty.params", b"")), "empty")

    def lists(self, params):
        """Offsets of the count words of ic, h, l, a, b_g1, b_g2."""
        out, at = [], 864
        for size in (96, 96, 96, 96, 96, 192):
            out.append(at)
            at += 4 + size * int.from_bytes(params[at:at + 4], "big")
        return out

    def test_hostile_counts(self):
        good = self.read("tiny.params")
        for at in self.lists(good):
            for count in (0xffffffff, 0x7fffffff, 0):
                if int.from_bytes(good[at:at + 4], "big") == count:
                    continue
                self.refused(self.prove(params=self.write("bad.params", patched(good, at, count.to_bytes(4, "big")))),
                             "bad.params")

    def test_bad_points_in_a_key(self):
        good = self.read("tiny.params")
        a = self.lists(good)[3] + 4
        flipped = patched(good, a + 50, bytes([good[a + 50] ^ 1]))
        for level in ("curve", "full"):
            self.refused(self.prove("--check", level, params=self.write("bad.params", flipped)), "bad.params", " a", "curve")
        # With checks off no invalid proof leaves either.
        done = self.prove("--check", "none", params=self.write("bad.params", flipped))
        self.assertNotEqual(done.returncode, 0)
        outside = self.write("bad.params", patched(good, a, OUTSIDE_G1))
        self.refused(self.prove("--check", "full", params=outside), "bad.params", "subgroup")
        self.assertNotEqual(self.prove(params=outside).returncode, 0)
        self.assertFalse(os.path.exists(self.path("p.json")))
        self.refused(run("inspect", outside, "--check"), "subgroup", "bad.params")
        above = patched(good, a, (P + 4).to_bytes(48, "big"))
        self.refused(self.prove("--check", "none", params=self.write("bad.params", above)), "bad.params")
        infinity = patched(good, a, b"\x40" + bytes(95))
        self.refused(self.prove(params=self.write("bad.params", infinity)), "infinity")

    def test_key_of_another_circuit(self):
        self.refused(self.prove(params=self.data("one-constraint.params")), "one-constraint.params", "circuit")
        self.refused(self.prove(params=self.data("tiny.vk")), "tiny.vk")
        self.refused(self.prove(params=self.data("tiny.r1cs")), "tiny.r1cs", ".r1cs")

    def test_every_truncation_of_small_files(self):
        for name, arguments in {"tiny.r1cs": ("inspect",), "tiny.wtns": ("inspect",), "tiny.vk": ("inspect",)}.items():
            good = self.read(name)
            for size in sorted({*range(0, 80), *range(len(good) - 40, len(good)), *range(80, len(good), 97)}):
                cut = self.write("cut-" + name, good[:size])
                self.refused(run(*arguments, cut), "cut-" + name)

    def test_wrong_curve(self):
        bn128 = 21888242871839275222246405745257275088548364400416034343698204186575808495617
        for name, option in (("tiny.r1cs", "r1cs"), ("tiny.wtns", "witness")):
            good = self.read(name)
            at = good.index(R.to_bytes(32, "little"))
            bad = self.write("bn." + name, patched(good, at, bn128.to_bytes(32, "little")))
            self.refused(self.prove(**{option: bad}), "wrong curve", "bn128")
        bn128_p = 21888242871839275222246405745257275088696311157297823662689037894645226208583
        header = struct.pack("<I", 32) + bn128_p.to_bytes(32, "little") + struct.pack("<I", 32) + bn128.to_bytes(32, "little")
        zkey = b"zkey" + struct.pack("<II", 1, 2) + section(1, struct.pack("<I", 1)) + section(2, header + bytes(12 + 12 * 32))
        for done in (run("inspect", self.write("bn.zkey", zkey)),
                     run("prove", "--zkey", self.path("bn.zkey"), "--witness", self.data("tiny.wtns"), "--out", self.path("p.json"))):
            self.refused(done, "bn.zkey", "wrong curve", "bn128")

    def test_2500_constraints(self):
        """D-12: between two powers of two, proved with a key of either form."""
        values = [1, 7]
        while len(values) < 2 + 2500:
            values.append(values[-1] * values[-1] % R)
        wires = [values[0], values[-1], *values[1:-1]]
        wtns = self.write("c.wtns", wtns_file(wires))
        r1cs = self.write("c.r1cs", squares_r1cs(2500))
        for ending in ("params", "zkey"):
            key = self.path("k." + ending)
            self.assertEqual(run("setup", "--r1cs", r1cs, "--out", key).returncode, 0)
            done = run("prove", "--" + ending, key, "--r1cs", r1cs, "--witness", wtns, "--out", self.path("p.json"), "--public",
                       self.path("pub.json"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(self.read(self.path("pub.json"))), [str(values[-1])])
            self.assertEqual(self.verify(vk=self.path("k.vk")).returncode, 0)

    def test_forgeable_key_is_named(self):
        vk = self.read("tiny.vk")
        delta_g2 = 96 + 96 + 192 + 192 + 96
        forgeable = self.write("forgeable.vk", patched(vk, delta_g2, GENERATOR_G2))
        self.prove_tiny()
        done = self.verify(vk=forgeable)
        self.assertIn("warning", done.stderr)
        self.assertEqual(len(json.loads(run("verify", "--vk", forgeable, "--proof", self.path("p.json"), "--public",
                                            self.path("pub.json"), "--json").stdout)["warnings"]), 1)
        self.assertIn("warning", run("convert", forgeable, self.path("vk.json")).stderr)

    # --- witnesses: F10, D-12, and circuits: F17

    def wtns(self, name="tiny.wtns"):
        good = self.read(name)
        at = good.index(struct.pack("<IQ", 2, len(good) - 76))
        return good, at + 12

    def test_witnesses(self):
        good, at = self.wtns()
        count = (len(good) - at) // 32
        one_more = patched(good, at - 16, struct.pack("<I", count + 1))
        one_more = patched(one_more, at - 8, struct.pack("<Q", 32 * (count + 1))) + bytes(32)
        self.refused(self.prove(witness=self.write("more.wtns", one_more)), "more.wtns", str(count + 1), str(count))
        one_less = patched(good[:-32], at - 16, struct.pack("<I", count - 1))
        one_less = patched(one_less, at - 8, struct.pack("<Q", 32 * (count - 1)))
        self.refused(self.prove(witness=self.write("less.wtns", one_less)), "less.wtns", str(count - 1))
        self.refused(self.prove(witness=self.write("one.wtns", patched(good, at, (2).to_bytes(32, "little")))), "one.wtns")
        self.refused(self.prove(witness=self.write("big.wtns", patched(good, at + 32, R.to_bytes(32, "little")))), "big.wtns")
        last = int.from_bytes(good[-32:], "little")
        wrong = good[:-32] + ((last + 1) % R).to_bytes(32, "little")
        self.refused(self.prove(witness=self.write("wrong.wtns", wrong)), "wrong.wtns", "constraint")
        self.assertFalse(os.path.exists(self.path("p.json")))

    def test_wire_out_of_range(self):
        good = self.read("tiny.r1cs")
        at = 12
        while struct.unpack_from("<I", good, at)[0] != 2:  # to the constraints' section
            at += 12 + struct.unpack_from("<Q", good, at + 4)[0]
        term = at + 12 + 4  # the first combination's first term: u32 wire, 32 bytes coefficient
        self.assertGreater(struct.unpack_from("<I", good, term - 4)[0], 0)
        for wire in (12, 0xffffffff):
            self.refused(run("inspect", self.write("wire.r1cs", patched(good, term, struct.pack("<I", wire)))), "wire.r1cs")
        self.refused(run("inspect", self.write("count.r1cs", patched(good, term - 4, b"\xff" * 4))), "count.r1cs")

    # --- outputs

    def test_outputs_that_no_file_can_replace(self):
        os.mkdir(self.path("folder"))
        os.mkfifo(self.path("pipe"))
        for name in ("folder", "folder/", "pipe"):
            self.refused(self.prove(out=name), self.path(name))
        self.refused(run("prove", "--zkey", self.data("ak-381.zkey"), "--witness", self.data("tiny.wtns"), "--out", ""), "empty")
        self.refused(run("convert", self.data("tiny.vk"), ""), "empty")
        self.refused(self.prove("--public", self.path("folder")), "folder")
        if os.path.exists("/dev/full"):
            self.refused(self.prove("--proof-bin", "/dev/full"), "/dev/full", "not a regular file")
            self.assertFalse(os.path.isfile("/dev/full"))
        self.assertFalse(os.path.exists(self.path("p.json")))
        # The verifying key cannot be written: no key either, and not an old one beside a new one.
        os.mkdir(self.path("k.vk"))
        for ending in ("params", "zkey"):
            self.refused(run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k." + ending)), "k.vk")
        self.assertEqual(sorted(os.listdir(self.folder)), ["folder", "k.vk", "pipe"])

    def test_a_bad_output_name_costs_no_time(self):
        for option in ("--out", "--public", "--proof-bin"):
            names = {"--out": "p.json", "--public": "pub.json", "--proof-bin": "p.bin", option: "no/such/folder"}
            arguments = [x for pair in names.items() for x in (pair[0], self.path(pair[1]))]
            # Said before the key is opened.
            self.refused(run("prove", "--zkey", self.path("nothing.zkey"), "--witness", self.path("nothing.wtns"), *arguments),
                         "no/such/folder")
        self.assertEqual(os.listdir(self.folder), [])

    def test_outputs_that_are_inputs(self):
        witness = self.write("w.wtns", self.read("tiny.wtns"))
        os.symlink("w.wtns", self.path("link.wtns"))
        for out in ("w.wtns", "link.wtns", "../" + os.path.basename(self.folder) + "/w.wtns"):
            self.refused(self.prove(witness=witness, out=out), "an input as well")
        self.refused(self.prove("--public", self.path("./p.json")), "two outputs")
        self.refused(run("setup", "--r1cs", self.write("c.params", self.read("tiny.r1cs")), "--out", self.path("c.params")),
                     "c.params")
        self.prove_tiny()
        proof = self.write("proof.bin", self.read(self.path("p.json")))
        self.refused(run("convert", proof, proof), "proof.bin")
        self.assertEqual(self.read(self.path("w.wtns")), self.read("tiny.wtns"))

    def test_a_link_is_followed(self):
        os.mkdir(self.path("there"))
        os.symlink("there/p.json", self.path("here.json"))
        self.assertEqual(self.prove(out="here.json").returncode, 0)
        self.assertTrue(os.path.islink(self.path("here.json")))
        self.assertEqual(os.listdir(self.path("there")), ["p.json"])

    def test_no_room(self):
        """A limit on the size of files, as a full disk: exit 3 and nothing left."""
        r1cs = self.write("c.r1cs", squares_r1cs(300))
        os.mkdir(self.path("out"))
        for ending in ("params", "zkey"):
            done = run("setup", "--r1cs", r1cs, "--out", self.path("out/k." + ending),
                       preexec_fn=limited(resource.RLIMIT_FSIZE, 20000))
            self.refused(done, "out/k." + ending, "cannot", status=3)
        done = self.prove("--proof-bin", self.path("out/p.bin"), out="out/p.json",
                          preexec_fn=limited(resource.RLIMIT_FSIZE, 500))
        self.refused(done, "p.json", status=3)
        self.assertEqual(os.listdir(self.path("out")), [])
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w") as full:
                done = run("inspect", self.data("tiny.vk"), "--json", stdout=full)
            self.refused(done, "standard output", status=3)

    def test_little_memory(self):
        """Whatever runs short, the end is an error and not a crash."""
        with open(CUZK, "rb") as binary:
            if b"__asan_init" in binary.read():
                self.skipTest("the address sanitizer reserves terabytes of address space")
        r1cs = self.write("c.r1cs", squares_r1cs(3000))
        os.mkdir(self.path("out"))
        for mebibytes, threads in ((20, "2"), (20, "4"), (30, "2"), (30, "4"), (40, "2"), (40, "4"), (80, "4")):
            done = run("setup", "--r1cs", r1cs, "--out", self.path("out/k.params"), "--threads", threads, "--json",
                       preexec_fn=limited(resource.RLIMIT_AS, mebibytes << 20))
            if done.returncode == 127:  # not even the libraries
                continue
            self.assertIn(done.returncode, (0, 3), f"{mebibytes} MiB: {done.stderr}")
            written = [] if done.returncode == 3 else ["k.params", "k.vk"]
            self.assertEqual(sorted(os.listdir(self.path("out"))), written)
            for name in written:
                os.unlink(self.path("out/" + name))
            if done.returncode == 3:
                self.assertIn("cuzk: error: ", done.stderr)
                self.assertEqual(json.loads(done.stdout)["error"]["code"], "out of resources")

    def test_killed_midway(self):
        r1cs = self.write("c.r1cs", squares_r1cs(30000))
        os.mkdir(self.path("out"))
        for wait in (0.05, 0.2):
            child = subprocess.Popen([CUZK, "setup", "--r1cs", r1cs, "--out", self.path("out/k.zkey"), "--threads", "1"])
            time.sleep(wait)
            child.kill()
            self.assertEqual(child.wait(), -signal.SIGKILL)
            left = os.listdir(self.path("out"))
            self.assertNotIn("k.zkey", left)
            self.assertNotIn("k.vk", left)

    def test_two_runs_one_output(self):
        command = [CUZK, "prove", "--params", self.data("tiny.params"), "--r1cs", self.data("tiny.r1cs"), "--witness",
                   self.data("tiny.wtns"), "--out", self.path("p.json"), "--public", self.path("pub.json")]
        children = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(8)]
        self.assertEqual([child.wait() for child in children], [0] * 8)
        self.assertEqual(sorted(os.listdir(self.folder)), ["p.json", "pub.json"])
        self.assertEqual(self.verify().returncode, 0)

    def test_nothing_half_written(self):
        self.refused(self.prove(out="no/such/folder/p.json"), "no/such/folder")
        self.write("old.json", "old")
        self.prove(witness=self.write("bad.wtns", b"wtns"), out="old.json")
        self.assertEqual(self.read(self.path("old.json")), b"old")
        self.assertEqual([f for f in os.listdir(self.folder) if f.endswith(".part")], [])
        self.refused(run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k.key")), ".params", ".zkey")
        if os.path.exists("/dev/full"):
            self.assertNotEqual(run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", "/dev/full").returncode, 0)

    def test_secrets_and_blinding(self):
        numbers = {k: hex(v) for v, k in enumerate(("alpha", "beta", "gamma", "delta", "tau"), start=1000003)}
        for content in (numbers, {"secrets": numbers}):
            done = run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k.params"), "--secrets",
                       self.write("s.json", json.dumps(content)))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("warning", done.stderr)
            keys = self.read(self.path("k.params"))
        self.assertEqual(keys, self.read(self.path("k.params")))
        for bad in ({}, {**numbers, "tau": "0"}, {**numbers, "tau": hex(R)}, {**numbers, "tau": 5}, {**numbers, "tau": "xyz"},
                    {**numbers, "secrets": [[[[{}]]]]}):
            self.refused(run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k.params"), "--secrets",
                             self.write("s.json", json.dumps(bad))), "s.json")
        text = json.dumps(numbers)
        for bad, part in ((text[:-1] + ', "tau": "1"}', "tau comes twice"), (text[:-1], f"byte {len(text)}")):
            self.refused(run("setup", "--r1cs", self.data("tiny.r1cs"), "--out", self.path("k.params"), "--secrets",
                             self.write("s.json", bad)), "s.json", part)
        first, second = self.prove("--blinding", "1,0x2", out="a.json"), self.prove("--blinding", "1,2", out="b.json")
        self.assertEqual((first.returncode, second.returncode), (0, 0), first.stderr)
        self.assertIn("warning", first.stderr)
        self.assertEqual(self.read(self.path("a.json")), self.read(self.path("b.json")))
        for bad in ("1", "1,", "x,1", "1," + hex(R)):
            self.refused(self.prove("--blinding", bad), "--blinding")

    def test_proofs_differ_without_blinding(self):
        self.prove(out="a.json"), self.prove(out="b.json")
        self.assertNotEqual(self.read(self.path("a.json")), self.read(self.path("b.json")))

    def test_a_wire_without_a_constraint(self):
        """Has no place in a .params file: refused by name; a .zkey holds it."""
        header = struct.pack("<I", 32) + R.to_bytes(32, "little") + struct.pack("<IIIIQI", 2, 0, 0, 1, 2, 1)
        rows = struct.pack("<III", 0, 0, 0)
        r1cs = self.write("c.r1cs", b"r1cs" + struct.pack("<II", 1, 2) + section(1, header) + section(2, rows))
        self.refused(run("setup", "--r1cs", r1cs, "--out", self.path("k.params")), "c.r1cs", "wire 1")
        self.assertFalse(os.path.exists(self.path("k.params")) or os.path.exists(self.path("k.vk")))
        self.assertEqual(run("setup", "--r1cs", r1cs, "--out", self.path("k.zkey")).returncode, 0)
        self.refused(run("convert", self.path("k.zkey"), self.path("k.params")), "k.zkey", "wire 1")
        done = run("prove", "--zkey", self.path("k.zkey"), "--witness", self.write("c.wtns", wtns_file([1, 3])), "--out",
                   self.path("p.json"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_unknown_conversions(self):
        self.refused(run("convert", self.data("tiny.wtns"), self.path("x.json")), "tiny.wtns", "cannot become")
        self.refused(run("convert", self.data("nothing"), self.path("x.json")), "nothing")

    def test_odd_paths(self):
        self.refused(run("inspect", self.folder), self.folder)
        self.refused(run("inspect", "/dev/null"), "/dev/null")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
