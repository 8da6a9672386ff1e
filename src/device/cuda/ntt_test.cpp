// The card's transforms against direct sums and against the CPU's. Linked with the emulator or with the card.
#include "device/cuda/ntt.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/executor.hpp"
#include "field/fr.hpp"
#include "poly/domain.hpp"

namespace cuzk::gpu {
namespace {

std::vector<Fr> random_values(size_t n, uint64_t seed) {
  TestRandom random(seed);
  std::vector<Fr> v(n);
  for (auto& x : v) x = Fr::random(random);
  return v;
}

size_t reversed(size_t v, uint32_t bits) {
  size_t r = 0;
  for (uint32_t i = 0; i < bits; ++i) r |= ((v >> i) & 1) << (bits - 1 - i);
  return r;
}

std::vector<Fr> bit_reversed(const std::vector<Fr>& v, uint32_t log) {
  std::vector<Fr> out(v.size());
  for (size_t i = 0; i < v.size(); ++i) out[reversed(i, log)] = v[i];
  return out;
}

// Plain recursive-order radix-2 transform by root w, natural in and out.
std::vector<Fr> plain(std::vector<Fr> v, uint32_t log, Fr w) {
  v = bit_reversed(v, log);
  for (uint32_t s = 0; s < log; ++s) {
    size_t half = size_t{1} << s;
    Fr step = w;
    for (uint32_t i = s + 1; i < log; ++i) step = step.square();
    for (size_t i = 0; i < v.size(); i += 2 * half) {
      Fr t = Fr::one();
      for (size_t j = 0; j < half; ++j, t = t * step) {
        Fr a = v[i + j], b = t * v[i + j + half];
        v[i + j] = a + b;
        v[i + j + half] = a - b;
      }
    }
  }
  return v;
}

std::vector<Fr> expected(const std::vector<Fr>& in, uint32_t log, const NttJob& job) {
  std::vector<Fr> v = job.bit_reversed_in ? bit_reversed(in, log) : in;
  Fr root = fr_root_of_unity(log), g = Fr::generator();
  if (!job.inverse) {
    Fr power = Fr::one();
    for (auto& x : v) {
      if (job.coset) x *= power;
      power *= g;
    }
    v = plain(v, log, root);
  } else {
    v = plain(v, log, root.inverse());
    Fr power = Fr::from_u64(v.size()).inverse(), step = g.inverse();
    for (auto& x : v) {
      x *= power;
      if (job.coset) power *= step;
    }
  }
  return job.bit_reversed_in || job.permute ? v : bit_reversed(v, log);
}

struct Card {
  Stream stream;
  DeviceMemory tables;
  NttDomain domain;
};

Result<Card> open(uint32_t log) {
  Card card;
  CUZK_ASSIGN(card.stream, Stream::create());
  CUZK_ASSIGN(card.tables, DeviceMemory::allocate(ntt_table_bytes(log)));
  CUZK_ASSIGN(card.domain, NttDomain::create(card.stream, log, card.tables.get()));
  return card;
}

Result<std::vector<Fr>> transform(Card& card, const NttJob& job, const std::vector<Fr>& in) {
  size_t bytes = in.size() * sizeof(Fr);
  CUZK_ASSIGN(auto from, DeviceMemory::allocate(bytes));
  CUZK_ASSIGN(auto to, DeviceMemory::allocate(bytes));
  CUZK_TRY(card.stream.to_device(from.get(), in.data(), bytes));
  void* target = job.permute ? to.get() : from.get();
  CUZK_TRY(card.domain.run(card.stream, job, from.get(), target));
  std::vector<Fr> out(in.size());
  CUZK_TRY(card.stream.to_host(out.data(), target, bytes));
  CUZK_TRY(card.stream.wait());
  return out;
}

void check_size(uint32_t log) {
  auto card = open(log);
  ASSERT_TRUE(card.has_value()) << card.error().message;
  auto in = random_values(size_t{1} << log, log);
  in[0] = Fr::zero();
  in[in.size() / 2] = -Fr::one();
  for (bool inverse : {false, true}) {
    for (bool coset : {false, true}) {
      for (int order = 0; order < 3; ++order) {
        NttJob job{inverse, order == 1, order == 2, coset};
        auto out = transform(*card, job, in);
        ASSERT_TRUE(out.has_value()) << out.error().message;
        EXPECT_TRUE(*out == expected(in, log, job))
            << "log " << log << " inverse " << inverse << " coset " << coset << " order " << order;
      }
    }
  }
}

// H by polynomial arithmetic: (A·B - C)/(x^n - 1) has n - 1 coefficients; multiply back.
void check_quotient(uint32_t log) {
  size_t n = size_t{1} << log, bytes = n * sizeof(Fr);
  auto card = open(log);
  ASSERT_TRUE(card.has_value()) << card.error().message;
  auto a = random_values(n, 1), b = random_values(n, 2);
  auto memory = DeviceMemory::allocate(3 * bytes);
  ASSERT_TRUE(memory.has_value());
  char *da = memory->get(), *db = da + bytes, *scratch = db + bytes;
  ASSERT_TRUE(card->stream.to_device(da, a.data(), bytes).has_value());
  ASSERT_TRUE(card->stream.to_device(db, b.data(), bytes).has_value());
  ASSERT_TRUE(card->domain.quotient(card->stream, da, db, scratch).has_value());
  std::vector<Fr> h(n);
  ASSERT_TRUE(card->stream.to_host(h.data(), db, bytes).has_value());
  ASSERT_TRUE(card->stream.wait().has_value());
  // At a random point x: A(x)·B(x) - C(x) = H(x)·(x^n - 1), all by Horner from coefficients.
  NttJob interpolate{.inverse = true, .permute = true};
  std::vector<Fr> c(n);
  for (size_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
  TestRandom random(3);
  Fr x = Fr::random(random);
  auto at_x = [&](const std::vector<Fr>& coefficients) {
    Fr r = Fr::zero();
    for (size_t i = coefficients.size(); i-- > 0;) r = r * x + coefficients[i];
    return r;
  };
  Fr left = at_x(expected(a, log, interpolate)) * at_x(expected(b, log, interpolate)) -
            at_x(expected(c, log, interpolate));
  EXPECT_EQ(left, at_x(h) * (x.pow(n) - Fr::one())) << log;
  EXPECT_TRUE(h.back().is_zero());
}

TEST(GpuNtt, SmallSizes) {
  for (uint32_t log : {0, 1, 2, 3, 5, 8, 10, 11}) check_size(log);
}
TEST(GpuNtt, TwoPasses) {
  for (uint32_t log : {12, 13, 14}) check_size(log);
}
TEST(GpuNtt, Quotient) {
  for (uint32_t log : {0, 1, 4, 11, 12, 13}) check_quotient(log);
}
// Every form that a job has, against the CPU's transforms.
void check_against_cpu(uint32_t log) {
  ThreadPool threads;
  auto card = open(log);
  auto domain = Domain::create(size_t{1} << log, threads);
  ASSERT_TRUE(card.has_value()) << card.error().message;
  ASSERT_TRUE(domain.has_value());
  const auto in = random_values(size_t{1} << log, log);
  for (bool inverse : {false, true}) {
    for (bool coset : {false, true}) {
      auto expected = in;
      if (inverse && coset) {
        domain->inverse_on_coset(expected, threads, Fr::generator(), ValueOrder::kBitReversed);
      } else if (inverse) {
        domain->inverse(expected, threads, ValueOrder::kBitReversed);
      } else if (coset) {
        domain->forward_on_coset(expected, threads, Fr::generator(), ValueOrder::kBitReversed);
      } else {
        domain->forward(expected, threads, ValueOrder::kBitReversed);
      }
      auto out = transform(*card, {.inverse = inverse, .bit_reversed_in = inverse, .coset = coset}, in);
      ASSERT_TRUE(out.has_value()) << out.error().message;
      EXPECT_TRUE(*out == expected) << log << " inverse " << inverse << " coset " << coset;
    }
  }
}

TEST(GpuNtt, EqualsTheCpus) {
  for (uint32_t log : {0, 5, 10, 12}) check_against_cpu(log);
}
#if CUZK_ON_CARD
TEST(GpuNtt, LargeOnesEqualTheCpus) {
  for (uint32_t log = 10; log <= 24; ++log) check_against_cpu(log);
}
TEST(GpuNtt, AllNumbersOfPasses) {
  for (uint32_t log : {15, 16, 17, 18, 19, 20}) check_size(log);
}
TEST(GpuNtt, LargeQuotient) {
  for (uint32_t log : {16, 19}) check_quotient(log);
}
#endif
TEST(GpuNtt, RefusesHugeSizes) {
  auto stream = Stream::create();
  ASSERT_TRUE(stream.has_value());
  EXPECT_FALSE(NttDomain::create(*stream, 29, nullptr).has_value());
}

}  // namespace
}  // namespace cuzk::gpu
