// For tests: reading the reference vectors beside the project, and comparing digests with them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "filecoin/circuit_catalog.hpp"
#include "filecoin/circuit_digest.hpp"

namespace cuzk::testing_support {

inline const std::string kVectors = CUZK_SOURCE_DIR "/../shared/vectors/";

inline std::optional<nlohmann::json> read_json(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  return nlohmann::json::parse(file);
}

// Compares counts, identifiers and all block digests; names the first block that differs.
inline void check_circuit(const std::string& name) {
  const auto json = read_json(kVectors + "circuits/" + name + ".json");
  if (!json) GTEST_SKIP() << "no shared vectors for " << name;
  const auto circuit = parse_circuit_name(name);
  ASSERT_TRUE(circuit) << circuit.error().message;
  EXPECT_EQ(circuit_identifier(*circuit), (*json)["identifier"].get<std::string>());
  EXPECT_EQ(key_name(*circuit), (*json)["parameters"].get<std::string>());

  DigestSystem cs;
  synthesize_shape(*circuit, cs);
  cs.finish();
  const auto& blocks = (*json)["blocks"];
  for (size_t i = 0; i < std::min(blocks.size(), cs.hasher().blocks().size()); ++i) {
    const auto& start = cs.block_starts()[i];
    ASSERT_EQ(blocks[i][1].get<uint64_t>(), start.aux_before) << "auxiliaries before block " << i;
    ASSERT_EQ(blocks[i][2].get<uint64_t>(), start.inputs_before) << "inputs before block " << i;
    ASSERT_EQ(blocks[i][3].get<std::string>(), to_hex(cs.hasher().blocks()[i]))
        << name << ": first differing block starts at constraint " << start.first_constraint;
  }
  EXPECT_EQ(cs.num_inputs(), (*json)["inputs"].get<uint64_t>());
  EXPECT_EQ(cs.num_aux(), (*json)["aux"].get<uint64_t>());
  EXPECT_EQ(cs.num_constraints(), (*json)["constraints"].get<uint64_t>());
  EXPECT_EQ(cs.nonzeros()[0], (*json)["nonzeros"]["a"].get<uint64_t>());
  EXPECT_EQ(cs.nonzeros()[1], (*json)["nonzeros"]["b"].get<uint64_t>());
  EXPECT_EQ(cs.nonzeros()[2], (*json)["nonzeros"]["c"].get<uint64_t>());
  EXPECT_EQ(cs.zero_terms_dropped(), (*json)["zero_terms_dropped"].get<uint64_t>());
  EXPECT_EQ(to_hex(cs.hasher().digest()), (*json)["digest"].get<std::string>());
}

}  // namespace cuzk::testing_support
