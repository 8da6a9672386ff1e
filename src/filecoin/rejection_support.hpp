// For tests: files with one byte changed must be refused by parser or check.
#pragma once

#include "base/executor.hpp"
#include "base/random.hpp"
#include "filecoin/test_support.hpp"

namespace cuzk::testing_support {

// Whether the file of a case, changed at this byte, is refused.
using Refused = std::function<bool(const std::string& file, size_t place)>;

// One bit of one byte at a time: of every byte, or of `positions` seeded ones. Names those that are accepted.
inline void check_positions(const std::string& name, const std::string& file, size_t positions,
                            const Refused& refused) {
  const bool all = positions >= file.size();
  const size_t count = all ? file.size() : positions;
  std::vector<uint8_t> accepted(count);
  std::vector<size_t> places(count);
  ThreadPool pool;
  parallel_ranges(pool, count, 16, [&](size_t begin, size_t end) {
    std::string changed = file;
    for (size_t n = begin; n < end; ++n) {
      TestRandom random(n);
      places[n] = all ? n : random.next() % file.size();
      char& byte = changed[places[n]];
      const char before = byte;
      byte = static_cast<char>(byte ^ static_cast<char>(1 << (random.next() % 8)));
      accepted[n] = refused(changed, places[n]) ? 0 : 1;
      byte = before;
    }
  });
  for (size_t n = 0; n < count; ++n) EXPECT_EQ(accepted[n], 0) << name << ": byte " << places[n];
}

// original: what the file says, with what the command line or the registered proof adds.
inline void check_porep_positions(const std::string& name, const std::string& file,
                                  const PorepInput& original, size_t positions) {
  check_positions(name, file, positions, [&](const std::string& changed, size_t place) {
    auto input = parse_porep_input(as_bytes(changed));
    if (!input) return true;
    if (input->sector_bytes == original.sector_bytes) input->porep_id = original.porep_id;
    input->prover = original.prover;
    input->sector = original.sector;
    // The partition that most likely was changed first.
    const size_t count = input->partitions.size();
    for (size_t k = 0; k < count; ++k)
      if (!check_porep_input(*input, static_cast<uint32_t>((place * count / file.size() + k) % count)))
        return true;
    return false;
  });
}

inline void check_porep_positions(const std::string& path, size_t positions) {
  const auto c = Case::load(path);
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto original = porep_input(*c);
  ASSERT_TRUE(original) << original.error().message;
  check_porep_positions(path, *c->read_file(c->text("input_file")), *original, positions);
}

inline void check_post_positions(const std::string& path, size_t file, size_t positions) {
  const auto c = Case::load(path);
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto original = post_input(*c);
  ASSERT_TRUE(original) << original.error().message;
  const std::string name = c->input_files()[file];
  check_positions(name, *c->read_file(name), positions, [&](const std::string& changed, size_t) {
    auto sector = parse_post_sector_proof(as_bytes(changed), original->sector_bytes);
    if (!sector) return true;
    PostInput input = *original;
    input.sectors[file] = std::move(*sector);
    return !check_post_input(input, static_cast<uint32_t>(input.winning ? 0 : file / 2));
  });
}

// The update of a case, or another partition and file of it.
inline void check_update_positions(const std::string& path, size_t positions,
                                   std::optional<uint32_t> partition = {}, std::string file = "") {
  const auto c = Case::load(path);
  if (!c) GTEST_SKIP() << "no shared vectors";
  if (file.empty()) file = c->text("input_file");
  const UpdateStatement statement{
      c->number("sector_size"), partition.value_or(static_cast<uint32_t>(c->number("partition"))),
      c->bytes32("comm_r_old"), c->bytes32("comm_d_new"), c->bytes32("comm_r_new")};
  const auto original = parse_update_input(as_bytes(*c->read_file(file)), statement);
  ASSERT_TRUE(original && check_update_input(*original)) << file;
  check_positions(file, *c->read_file(file), positions, [&](const std::string& changed, size_t) {
    const auto input = parse_update_input(as_bytes(changed), statement);
    return !input || !check_update_input(*input);
  });
}

}  // namespace cuzk::testing_support
