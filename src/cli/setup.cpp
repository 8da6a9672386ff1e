#include "groth16/setup.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/key_options.hpp"
#include "cli/outputs.hpp"
#include "cli/secrets.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/key_writer.hpp"
#include "srs/file_digest.hpp"

namespace cuzk::cli {

namespace {

struct SetupOptions {
  std::string r1cs, circuit, out, secrets;
};

Result<SetupSecrets> choose_secrets(const std::string& path) {
  if (path.empty()) {
    SystemRandom random;
    return SetupSecrets::random(random);
  }
  report_warning("--secrets: whoever knows these numbers can forge proofs under this key; for tests only");
  return read_secrets(path);
}

// Passes a key on to a file and remembers its verifying part.
class RememberVk final : public KeySink {
 public:
  explicit RememberVk(KeySink& next) : next_(next) {}
  Status begin(const VerifyingKey& vk, const KeyCounts& counts) override {
    vk_ = vk;
    counts_ = counts;
    return next_.begin(vk, counts);
  }
  Status append(KeySection section, std::span<const G1Affine> points) override {
    return next_.append(section, points);
  }
  Status append_b_g2(std::span<const G2Affine> points) override { return next_.append_b_g2(points); }
  const VerifyingKey& vk() const { return vk_; }
  const KeyCounts& counts() const { return counts_; }

 private:
  KeySink& next_;
  VerifyingKey vk_;
  KeyCounts counts_{};
};

// While it lives no other process puts files under their names in the folder that takes this lock, too.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  const int fd_;
};

// A key that no setup made may be the network's, which takes hours to fetch.
Status check_replaceable(const std::string& base) {
  std::error_code error;
  if (std::filesystem::exists(base + ".origin.json", error)) return {};
  for (const char* ending : {".params", ".vk"})
    if (std::filesystem::exists(base + ending, error))
      return invalid(base + ending +
                     ": is there, and no setup made it (it has no .origin.json): it may be the network's; "
                     "choose another folder, or delete it");
  return {};
}

// The three files of a key for development, all or none. prove takes a key that is not the network's only
// with its NAME.origin.json.
Status write_circuit_key(KeyFileWriter& params, RunningDigest& digest, const VerifyingKey& vk,
                         const StoredMatrices& matrices, const std::string& folder, const std::string& base,
                         Executor& executor) {
  CUZK_ASSIGN(AtomicFile vk_file, AtomicFile::create(base + ".vk"));
  CUZK_ASSIGN(AtomicFile origin_file, AtomicFile::create(base + ".origin.json"));
  CUZK_TRY(params.sync());
  const std::vector<uint8_t> vk_bytes = encode_bellman_vk(vk, executor);
  RunningDigest vk_digest;
  vk_digest.add(vk_bytes);
  CUZK_TRY(vk_file.write(vk_bytes));
  CUZK_TRY(vk_file.sync());
  CUZK_TRY(origin_file.write(
      key_origin_to_json({matrices.name(), to_hex(matrices.digest()), digest.finish(), vk_digest.finish()})));
  CUZK_TRY(origin_file.sync());
  const FolderLock lock(folder);
  CUZK_TRY(check_replaceable(base));
  // The origin first: if the process ends in between, the next setup sees that the rest is its own to
  // replace.
  CUZK_TRY(origin_file.commit());
  CUZK_TRY(params.finish());
  return vk_file.commit();
}

// A key for development of one of Filecoin's circuits, in a folder, under the network's name.
Result<ExitStatus> make_circuit_key(const SetupOptions& options, const Context& context) {
  CUZK_ASSIGN(const CircuitId id, parse_circuit_name(options.circuit));
  CUZK_ASSIGN(const SetupSecrets secrets, choose_secrets(options.secrets));
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) return fail(ErrorCode::kIo, options.out + ": cannot make the folder: " + error.message());
  const std::string base = (std::filesystem::path(options.out) / key_name(id)).string();
  CUZK_TRY(check_replaceable(base));
  CUZK_TRY(check_outputs({base + ".params", base + ".vk", base + ".origin.json"}, {options.secrets}));

  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  watch.start("circuit");
  CUZK_ASSIGN(const std::shared_ptr<const StoredMatrices> matrices,
              load_or_make_matrices(id, options.out, executor));
  const R1cs circuit = expand(*matrices);
  watch.start("setup");
  RunningDigest digest;
  CUZK_ASSIGN(const std::unique_ptr<KeyFileWriter> writer,
              create_params_writer(base + ".params", executor, [&](Bytes bytes) { digest.add(bytes); }));
  RememberVk sink(*writer);
  if (auto made = setup(circuit, secrets, kBellmanForm, sink, executor); !made)
    return tl::unexpected<Error>(made.error().at(options.circuit));
  watch.start("write");
  CUZK_TRY(write_circuit_key(*writer, digest, sink.vk(), *matrices, options.out, base, executor));
  watch.stop();
  if (context.json) {
    Json json;
    json["circuit"] = id.name();
    json["key"] = base + ".params";
    json["vk"] = base + ".vk";
    json["constraints"] = circuit.num_constraints();
    json["domain_size"] = sink.counts().domain_size;
    json["public_inputs"] = circuit.num_inputs - 1;
    json["seconds"] = watch.to_json();
    print_json(json);
  } else {
    std::cout << "made a key for development of " << id.name() << ", " << circuit.num_constraints()
              << " constraints (domain " << sink.counts().domain_size << "); " << watch.to_text()
              << "; wrote " << base << ".params, .vk and .origin.json\n";
  }
  return kDone;
}

Result<ExitStatus> make_key(const SetupOptions& options, const Context& context) {
  if (options.r1cs.empty() == options.circuit.empty())
    return invalid("setup: give one circuit, --r1cs FILE or --circuit NAME");
  if (!options.circuit.empty()) return make_circuit_key(options, context);
  std::filesystem::path out(options.out);
  bool zkey = out.extension() == ".zkey";
  if (!zkey && out.extension() != ".params")
    return invalid("--out " + options.out +
                   ": the name must end in .params or .zkey; the ending chooses the form");
  std::string vk_path = std::filesystem::path(out).replace_extension(".vk").string();
  CUZK_TRY(check_outputs({options.out, vk_path}, {options.r1cs, options.secrets}));
  CUZK_ASSIGN(SetupSecrets secrets, choose_secrets(options.secrets));

  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  watch.start("read");
  CUZK_ASSIGN(auto file, InputFile::open(options.r1cs));
  CUZK_ASSIGN(auto r1cs, read_r1cs(file));
  CUZK_TRY(file->check_unchanged());
  watch.start("setup");
  const R1cs& circuit = r1cs.circuit;
  auto writer =
      zkey ? create_zkey_writer(options.out, circuit, executor) : create_params_writer(options.out, executor);
  if (!writer) return tl::unexpected<Error>(writer.error());
  // A key never appears without its verifying key, nor beside an older one.
  CUZK_ASSIGN(AtomicFile vk_file, AtomicFile::create(vk_path));
  RememberVk sink(**writer);
  auto made = setup(circuit, secrets, zkey ? kSnarkjsForm : kBellmanForm, sink, executor);
  if (!made) return tl::unexpected<Error>(made.error().at(options.r1cs));
  watch.start("write");
  CUZK_TRY(vk_file.write(encode_bellman_vk(sink.vk(), executor)));
  CUZK_TRY(vk_file.sync());
  CUZK_TRY((*writer)->finish());
  CUZK_TRY(vk_file.commit());
  watch.stop();
  if (context.json) {
    Json json;
    json["key"] = options.out;
    json["vk"] = vk_path;
    json["constraints"] = circuit.num_constraints();
    json["domain_size"] = sink.counts().domain_size;
    json["public_inputs"] = circuit.num_inputs - 1;
    json["seconds"] = watch.to_json();
    print_json(json);
  } else {
    std::cout << "made a key for " << circuit.num_constraints() << " constraints (domain "
              << sink.counts().domain_size << "), " << circuit.num_inputs - 1 << " public inputs; "
              << watch.to_text() << "; wrote " << options.out << " and " << vk_path << "\n";
  }
  return kDone;
}

}  // namespace

Command add_setup(CLI::App& program) {
  CLI::App* app = program.add_subcommand("setup", "make a proving and a verifying key for a circuit");
  auto options = std::make_shared<SetupOptions>();
  app->add_option("--r1cs", options->r1cs, "the circuit, circom's .r1cs");
  app->add_option("--circuit", options->circuit,
                  "one of Filecoin's circuits by name, \"porep-2k\"; --out is then a folder");
  app->add_option("--out", options->out,
                  "NAME.params (bellman) or NAME.zkey (snarkjs); NAME.vk is written beside it; with "
                  "--circuit the folder for "
                  "NAME.params, NAME.vk and NAME.origin.json, named as the network names them")
      ->required();
  app->add_option("--secrets", options->secrets,
                  "JSON with alpha, beta, gamma, delta, tau in hex: for tests only");
  return [options](const Context& context) { return make_key(*options, context); };
}

}  // namespace cuzk::cli
