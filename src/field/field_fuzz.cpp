// A virtual machine over field operations: the input is a program; its registers are computed by the kernels
// in use and by the portable code, which must agree after every step. Long chains find carries that single
// operations miss.
#include <cstdlib>

#include "field/fp2.hpp"
#include "field/fr.hpp"

namespace {

using namespace cuzk;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class F>
struct Machine {
  static constexpr size_t kRegisters = 8;
  F fast[kRegisters], plain[kRegisters];

  Machine() {
    for (size_t i = 0; i < kRegisters; ++i) fast[i] = plain[i] = F::from_u64(i);
    typename F::Int v = F::kModulus;
    v.sub_in_place(F::Int::from_u64(1));
    fast[7] = plain[7] = F::from_montgomery(v);  // limbs near the modulus
  }
  void set(size_t i, const typename F::Int& words) { fast[i] = plain[i] = F::from_reduced(words); }
  void step(uint8_t operation, size_t to, size_t a, size_t b) {
    const F fa = fast[a], fb = fast[b], pa = plain[a], pb = plain[b];
    switch (operation % 7) {
      case 0:
        fast[to] = fa * fb, plain[to] = pa.mul_portable(pb);
        break;
      case 1:
        fast[to] = fa + fb, plain[to] = pa.add_portable(pb);
        break;
      case 2:
        fast[to] = fa - fb, plain[to] = pa.sub_portable(pb);
        break;
      case 3:
        fast[to] = fa.square(), plain[to] = pa.mul_portable(pa);
        break;
      case 4:
        fast[to] = -fa, plain[to] = F::zero().sub_portable(pa);
        break;
      case 5: {
        // 1/a, checked by its definition.
        F inverse = fa.inverse();
        require(fa.is_zero() ? inverse.is_zero() : inverse.mul_portable(pa).is_one());
        fast[to] = plain[to] = inverse;
        break;
      }
      default:
        fast[to] = fa.halved(), plain[to] = pa.halved();
        require(plain[to].add_portable(plain[to]) == pa);
    }
    require(fast[to] == plain[to]);
    require(fast[to].montgomery() < F::kModulus);
  }
};

template <class F>
void run(const uint8_t* data, size_t size) {
  Machine<F> machine;
  while (size >= 4) {
    uint8_t operation = data[0];
    size_t to = data[1] % machine.kRegisters, a = data[2] % machine.kRegisters,
           b = data[3] % machine.kRegisters;
    data += 4, size -= 4;
    if (operation >= 0xf0 && size >= F::kBytes) {
      machine.set(to, F::Int::from_le_bytes(data));
      data += F::kBytes, size -= F::kBytes;
    } else {
      machine.step(operation, to, a, b);
    }
  }
}

// Fp2 multiplication has a kernel of its own.
void run_fp2(const uint8_t* data, size_t size) {
  Fp2 x = Fp2::one(), y{Fp::generator(), -Fp::one()};
  for (; size >= 1; ++data, --size) {
    Fp2 product = x * y;
    require(product == x.mul_portable(y));
    x = (data[0] & 1) != 0 ? product : product + y;
    if ((data[0] & 2) != 0) y = (data[0] & 4) != 0 ? x.square() : x - y;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  switch (data[0] % 3) {
    case 0:
      run<Fr>(data + 1, size - 1);
      break;
    case 1:
      run<Fp>(data + 1, size - 1);
      break;
    default:
      run_fp2(data + 1, size - 1);
  }
  return 0;
}
