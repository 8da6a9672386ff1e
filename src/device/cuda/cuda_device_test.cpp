// The CUDA device, on the card or in the emulator: proofs equal to the CPU's, errors.
#include "device/cuda/cuda_device_cases_test.hpp"
#include "device/cuda/cuda_key.hpp"
#if !CUZK_ON_CARD
#include "device/cuda/emulator.hpp"
#endif

namespace cuzk {
namespace {

using namespace cuda_cases;

TEST(CudaDevice, ProofsEqualTheCpus) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  for (const auto& form : {kBellmanForm, kSnarkjsForm}) {
    ProofCase(random_circuit(1, 1, 1, 5), form, executor).expect_same(*device);
    ProofCase(random_circuit(3, 20, 13, 6), form, executor).expect_same(*device);
  }
}

// Domains of 1, 2 and 4; no private variables; one input.
TEST(CudaDevice, SmallestCircuits) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  for (const auto& test :
       {random_circuit(1, 0, 0, 1), random_circuit(2, 0, 0, 2), random_circuit(1, 2, 3, 5)})
    ProofCase(test, kBellmanForm, executor).expect_same(*device);
}

TEST(CudaDevice, StreamedBases) {
  InlineExecutor executor;
  check_placements(random_circuit(3, 60, 25, 12), kBellmanForm, {1}, executor);
}

TEST(CudaDevice, RefusesBadWitnesses) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  auto test = random_circuit(3, 20, 13, 7);
  TestRandom random(32);
  auto key = setup(*test.circuit, SetupSecrets::random(random), kBellmanForm, executor);
  ASSERT_TRUE(key);
  auto resident = ResidentKey::load(*device, *key, test.circuit);
  ASSERT_TRUE(resident);
  auto start_with = [&](std::vector<Fr> witness) {
    return device->start((*resident)->on_device(), std::span<const Fr>(witness), true);
  };
  EXPECT_TRUE(start_with(test.witness).has_value());
  auto wrong = test.witness;
  wrong[5] += Fr::one();
  auto result = start_with(wrong);
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().code == ErrorCode::kUnsatisfied);
  wrong = test.witness;
  wrong.pop_back();
  EXPECT_TRUE(start_with(wrong).error().code == ErrorCode::kInvalidInput);
  wrong = test.witness;
  wrong[0] = Fr::zero();
  EXPECT_TRUE(start_with(wrong).error().code == ErrorCode::kInvalidInput);
}

TEST(CudaDevice, MemoryIsPlannedAndGivenBack) {
  InlineExecutor executor;
  auto device = CudaDevice::open({.card = 0, .memory_bytes = size_t{1} << 20}, executor);
  ASSERT_TRUE(device);
  auto bases = conformance::test_bases<G1>(10, *std::make_unique<TestRandom>(1));
  auto resident = (*device)->load_bases(Bases<G1>(std::make_shared<MemoryPoints<G1>>(bases)));
  ASSERT_TRUE(resident);
  // A transform's tables alone do not fit into what is left.
  std::vector<Fr> a(1 << 14, Fr::one()), b = a, out = a;
  auto status = (*device)->quotient(QuotientBasis::kCoefficients, DomainRoot::kBellman, a, b, out);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().code == ErrorCode::kResourceExhausted);
  EXPECT_FALSE((*device)->lost());
  EXPECT_FALSE(CudaDevice::open({.card = 99, .memory_bytes = 1}, executor).has_value());
}

// Pieces of every kind, and that plans cover what is taken.
TEST(CudaDevice, KeyPlacements) {
  ProofShape shape;
  shape.num_inputs = 10;
  shape.num_aux = 990;
  shape.num_h = 2047;
  shape.num_l = 990;
  shape.num_a = 800;
  shape.num_b = 300;
  for (size_t room :
       {size_t{0}, size_t{1} << 14, size_t{1} << 17, size_t{200'000}, size_t{300'000}, SIZE_MAX}) {
    for (size_t most : {size_t{1}, size_t{100}, size_t{5000}}) {
      const auto placed = gpu::place_key(shape, room, most);
      SCOPED_TRACE(room);
      if (room >= 1 << 17) {
        EXPECT_LE(placed.device_bytes + placed.staging_bytes, room);
      }
      EXPECT_EQ(placed.streams(), room < SIZE_MAX && room < 500'000);
      for (const auto& [pieces, end] :
           {std::pair(&placed.variable_pieces, size_t{1000}), {&placed.h_pieces, size_t{2047}}}) {
        size_t at = 0;
        for (const gpu::MsmPiece& piece : *pieces) {
          EXPECT_EQ(piece.first, at);
          if (pieces == &placed.variable_pieces) {
            EXPECT_EQ(piece.first % gpu::kPieceMultiple, 0u);
          }
          EXPECT_LE(piece.count, std::max(most, gpu::kPieceMultiple));
          at += piece.count;
        }
        EXPECT_EQ(at, end);
      }
    }
  }
}

#if !CUZK_ON_CARD
using gpu::emulator::set_faults;

// Every call that fails is an error, and the device works on; one that takes the card away is the last.
TEST(CudaDevice, FailedCalls) {
  InlineExecutor executor;
  set_faults({});
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  const size_t calls_to_open = gpu::emulator::calls();
  const ProofCase proof(random_circuit(3, 40, 25, 13), kBellmanForm, executor);
  for (size_t i = 0; i < calls_to_open; ++i) {
    set_faults({.failing_call = i});
    EXPECT_FALSE(CudaDevice::open({.memory_bytes = kTestMemory}, executor)) << i;
  }
  set_faults({});
  auto resident = proof.load(*device);
  ASSERT_TRUE(resident);
  const size_t calls_to_load = gpu::emulator::calls();
  for (size_t i = 0; i < calls_to_load - 2; i += 5) {  // the last two are waits as the lane is given back
    set_faults({.failing_call = i});
    auto failed = proof.load(*device);
    ASSERT_FALSE(failed) << i;
    EXPECT_TRUE(failed.error().code == ErrorCode::kUnavailable);
  }
  set_faults({});
  ASSERT_TRUE(proof.prove(*device, *resident, Form::kPacked));
  const size_t calls_to_prove = gpu::emulator::calls();
  for (size_t i = 0; i < calls_to_prove - 2; i += 61) {
    set_faults({.failing_call = i});
    auto failed = proof.prove(*device, *resident, Form::kPacked);
    ASSERT_FALSE(failed) << i;
    EXPECT_TRUE(failed.error().code == ErrorCode::kUnavailable);
    EXPECT_FALSE(device->lost());
  }
  set_faults({});
  auto good = proof.prove(*device, *resident, Form::kPacked);
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_TRUE(proof.is_expected(*good));

  set_faults({.failing_call = calls_to_prove / 2, .lost = true});
  EXPECT_FALSE(proof.prove(*device, *resident, Form::kPacked));
  EXPECT_TRUE(device->lost());
  auto after = proof.prove(*device, *resident, Form::kPacked);
  ASSERT_FALSE(after);
  EXPECT_TRUE(after.error().code == ErrorCode::kUnavailable);
  EXPECT_TRUE(after.error().message.find("is lost") != std::string::npos) << after.error().message;
  EXPECT_FALSE(proof.load(*device));
  set_faults({});
}

// Once a device is open and a key is loaded, nothing is allocated: all is carved from what there is.
TEST(CudaDevice, AllocatesOnlyWhenOpened) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  const ProofCase proof(random_circuit(3, 40, 25, 14), kBellmanForm, executor);
  set_faults({});
  proof.expect_same(*device);
  EXPECT_EQ(gpu::emulator::allocations(), 0u);
}
#endif

}  // namespace
}  // namespace cuzk
