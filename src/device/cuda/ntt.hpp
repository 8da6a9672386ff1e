// Number-theoretic transforms over Fr on one card, and the quotient polynomial H of a Groth16 proof.
//
// A transform takes natural order to bit-reversed order or the other way; a further one gives natural to
// natural by permuting while it stores. Same values as poly/domain of the CPU.
#pragma once

#include <cstdint>

#include "device/cuda/runtime.hpp"
#include "field/fr.hpp"

namespace cuzk::gpu {

inline constexpr uint32_t kMostNttLog = 28;

// Device memory that a domain's tables take: about 17 MB plus five arrays of about 2^(log2_size / 2)
// elements.
size_t ntt_table_bytes(uint32_t log2_size);

struct NttJob {
  bool inverse = false;          // divided by the size
  bool bit_reversed_in = false;  // else natural in
  bool permute = false;          // natural in, natural out; `out` must not be `in`, and `in` is overwritten
  bool coset = false;            // forward: coefficients times shift^k before; inverse: times shift^-k after
};

class NttDomain {
 public:
  // memory: ntt_table_bytes(log2_size) of device memory, which must outlive the domain. Fills the tables by
  // work on the stream. shift: of the coset, not zero, not in the domain. Errors: a size above 2^28, a failed
  // launch.
  static Result<NttDomain> create(Stream& stream, uint32_t log2_size, void* memory,
                                  DomainRoot root = DomainRoot::kBellman, const Fr& shift = Fr::generator());

  // Transforms 2^log2_size elements from `in` to `out`, which may be the same array, by work on the stream.
  Status run(Stream& stream, const NttJob& job, void* in, void* out) const;

  // Coefficients of H = (A·B - C) / (x^n - 1), where A and B are interpolated from the n values a and b
  // (natural order) and C from the products a·b. Six transforms. a, b and scratch (n elements each) are
  // overwritten; the result, in natural order, is in b.
  Status quotient(Stream& stream, void* a, void* b, void* scratch) const;

  // Values of A·B - C on the coset, natural order, in a; the same memory.
  Status values_on_coset(Stream& stream, void* a, void* b, void* scratch) const;

  uint32_t log2_size() const { return log2_size_; }

 private:
  struct Tables {
    const void *rows, *direct;           // powers of the roots of order 2^9 and 2^18
    const void *low, *high;              // of the root of order 2^log2_size
    const void* high_scaled;             // over n (inverse only)
    const void* high_quotient;           // over n·(g^n - 1) (inverse only)
    const void *coset_low, *coset_high;  // of the shift g; inverse: of 1/g, over n
    const void* coset_high_quotient;     // over n·(g^n - 1) too (inverse only)
    const void *scale, *scale_quotient;  // single elements: 1/n, 1/(n·(g^n - 1)) (inverse only)
  };
  struct Extra {
    const void* factor = nullptr;
    const void* minus = nullptr;
    bool over_quotient = false;
  };
  Status transform(Stream& stream, const NttJob& job, const Extra& extra, const void* in, void* out) const;

  uint32_t log2_size_ = 0;
  Tables forward_{}, inverse_{};
};

}  // namespace cuzk::gpu
