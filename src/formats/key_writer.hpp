// Proving keys written as they are made: sinks for setup() in the two file forms.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "formats/file_points.hpp"
#include "formats/sections.hpp"
#include "groth16/setup.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

// A sink whose file appears under its name with finish(), and not at all without it.
class KeyFileWriter : public KeySink {
 public:
  // After everything was appended: the bytes are durable, still without the name. What can fail for lack of
  // space fails here; files that belong together are all synced before the first is finished.
  virtual Status sync() = 0;
  // Gives the file its name. Errors of both: kIo, kResourceExhausted.
  virtual Status finish() = 0;
};

// Writes a .params file. The key must be in kBellmanForm; infinity is refused with list and index, because
// the form cannot hold it. The executor must outlive the writer; points are encoded on its threads.
// `written`, if there is one, is given all bytes of the file in order.
Result<std::unique_ptr<KeyFileWriter>> create_params_writer(const std::string& path, Executor& executor,
                                                            std::function<void(Bytes)> written = {});

// Writes a .zkey file. The key must be in kSnarkjsForm for this circuit, which must outlive the writer; the
// circuit's rows and the rows that bind the inputs go into the file. The record of contributions is empty.
Result<std::unique_ptr<KeyFileWriter>> create_zkey_writer(const std::string& path, const R1cs& circuit,
                                                          Executor& executor);

// Passes a whole key to a sink, 64 Ki points at a time.
Status copy_key(const ProvingKey& key, KeySink& sink, Executor& executor);

// Passes a key in snarkjs' form to a sink in bellman's form: leaves infinity out of a, b_g1 and b_g2 and
// turns H into h, a DFT over G1 (n/2 · log2 n multiplications, tens of microseconds each: the points of H
// must have been tested in full, see group_dft.hpp). The constraints stay at the points of the key's own
// domain, {kCoefficients, kWithEntries, key.domain_root}: from domains of eight points on, a prover that
// takes bellman's root of unity cannot use a key that was made with snarkjs' root. Errors: a private variable
// that no constraint uses (infinity in l), lists that disagree, what the sources report.
Status convert_to_bellman(const ProvingKey& key, KeySink& sink, Executor& executor);

}  // namespace cuzk
