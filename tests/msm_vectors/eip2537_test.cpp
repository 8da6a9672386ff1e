// go-ethereum's EIP-2537 vectors for multi-scalar multiplication, and the inputs that must fail.
#include "eip2537.hpp"

#include <cstdio>

#include "msm/msm.hpp"

namespace cuzk {
namespace {

using namespace eip2537;

// The input's points, decoded as they are asked for.
template <class G>
class InputSource final : public PointSource<G> {
 public:
  static constexpr size_t kPair = kPointBytes<G> + kScalarBytes;

  explicit InputSource(const Buffer& input) : input_(input) {}
  size_t size() const override { return input_.size() / kPair; }
  Status load(size_t begin, std::span<typename G::Point> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      auto point = read_point<G>(&input_[(begin + i) * kPair], true);
      if (!point) return invalid(point.error());
      out[i] = *point;
    }
    return {};
  }

 private:
  const Buffer& input_;
};

template <class G>
Outcome multiply(const Buffer& input) {
  InputSource<G> source(input);
  if (input.empty() || input.size() % source.kPair != 0) return refuse("invalid input length");
  // Scalars are any 256 bits here.
  std::vector<Fr> scalars;
  for (size_t at = kPointBytes<G>; at < input.size(); at += source.kPair)
    scalars.push_back(Fr::from_reduced(BigInt<4>::from_be_bytes(&input[at])));
  ThreadPool executor(2);
  auto sum = msm<G>(source, Scalars{scalars}, executor);
  if (!sum) return refuse(sum.error().message);
  return write_point<G>(*sum);
}

std::string unpack(const std::filesystem::path& path) {
  std::string text, command = "gzip -dc '" + path.string() + "'";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  pclose(pipe);
  return text;
}

void check_file(const std::string& name, size_t expected_count, Outcome (*operation)(const Buffer&)) {
  auto path = data_path("bls12-381/eip2537/" + name);
  CUZK_REQUIRE_DATA(path);
  auto cases = path.extension() == ".gz" ? nlohmann::json::parse(unpack(path)) : read_json(path);
  check_cases(cases, name, expected_count, operation);
}

TEST(Eip2537Msm, G1) {
  check_file("blsG1MultiExp.json.gz", 154, multiply<G1>);
}
TEST(Eip2537Msm, G2) {
  check_file("blsG2MultiExp.json.gz", 153, multiply<G2>);
}
TEST(Eip2537Msm, RefusedInputs) {
  check_file("fail-blsG1MultiExp.json", 7, multiply<G1>);
  check_file("fail-blsG2MultiExp.json", 7, multiply<G2>);
}

}  // namespace
}  // namespace cuzk
