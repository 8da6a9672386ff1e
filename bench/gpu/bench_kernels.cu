#include <cstring>

#include "bench_kernels.hpp"
#include "device/cuda/curve.hpp"
#include "device/cuda/launch.hpp"
#include "device/cuda/ntt_kernels.hpp"

namespace cuzk::gpu {

namespace {

CUZK_DEV uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

CUZK_KERNEL(256, 2)
random_scalars(DFr* out, size_t count, uint64_t seed, unsigned bits_percent) {
  size_t i = grid_thread();
  if (i >= count) return;
  DFr r;
  uint64_t state = mix(seed + i * 0x9e3779b97f4a7c15u);
  for (int w = 0; w < 4; ++w) {
    uint64_t v = mix(state + static_cast<uint64_t>(w + 1) * 0x9e3779b97f4a7c15u);
    r.v[2 * w] = static_cast<uint32_t>(v);
    r.v[2 * w + 1] = static_cast<uint32_t>(v >> 32);
  }
  r.v[7] &= 0x7fffffffu;
  r = r.reduced_once();
  uint64_t dice = mix(state + 99);
  if (dice % 100 < bits_percent) r = (dice >> 40 & 1) != 0 ? DFr::one() : DFr::zero();
  store_fr(out + i, r);
}

CUZK_KERNEL(256, 2)
fold(const DFr* scalars, size_t count, uint32_t step, DFr* sums) {
  size_t j = grid_thread();
  if (j >= step) return;
  DFr sum = DFr::zero();
  for (size_t i = j; i < count; i += step) sum = sum + load_fr(scalars + i);
  store_fr(sums + j, sum);
}

CUZK_KERNEL(256, 2)
value_parts(const DFr* values, size_t count, DFr base, DFr step, uint32_t threads, DFr* parts) {
  size_t t = grid_thread();
  if (t >= threads) return;
  DFr power = DFr::one(), square = base;
  for (uint32_t e = static_cast<uint32_t>(t); e != 0; e >>= 1) {
    if ((e & 1) != 0) power = power * square;
    square = square.squared();
  }
  DFr sum = DFr::zero();
  for (size_t i = t; i < count; i += threads) {
    sum = sum + load_fr(values + i) * power;
    power = power * step;
  }
  store_fr(parts + t, sum);
}

CUZK_KERNEL(256, 2)
differ(const DFr* a, const DFr* b, size_t count, uint32_t* differences) {
  size_t i = grid_thread();
  if (i < count && !(load_fr(a + i) == load_fr(b + i))) atomic_add(differences, 1);
}

template <class D, bool kSquare>
CUZK_KERNEL(256, 2)
products(D* data, unsigned rounds) {
  D a = data[thread_index() % 64], b = data[(thread_index() + 7) % 64];
  for (unsigned i = 0; i < rounds; ++i) {
    CUZK_UNROLL
    for (int k = 0; k < 16; ++k) a = kSquare ? a.squared() : a * b;
  }
  if (a == b) data[thread_index() % 64] = a;  // never: keeps the work
}

template <class F>
CUZK_KERNEL(128, 3)
additions(DFp* data, unsigned rounds) {
  auto p = GpuAffine<F>::load(data, 0), q = GpuAffine<F>::load(data, 1);
  auto sum = GpuXyzz<F>{p.x, p.y, F::one(), F::one()};
  for (unsigned i = 0; i < rounds; ++i) sum.add(q);
  if (sum.is_infinity()) sum.store(data, 0);
}

CUZK_KERNEL(256, 2)
write_to(uint32_t* p) {
  *p = 1;
}

template <class T>
T from(const void* p) {
  T t;
  std::memcpy(&t, p, sizeof t);
  return t;
}

}  // namespace

Status fill_random_scalars(Stream& stream, void* out, size_t count, uint64_t seed, unsigned bits_percent) {
  return launch(stream, "random_scalars", random_scalars, blocks_for(count, 256), 256, 0,
                static_cast<DFr*>(out), count, seed, bits_percent);
}
Status fold_scalars(Stream& stream, const void* scalars, size_t count, uint32_t step, void* sums) {
  return launch(stream, "fold", fold, blocks_for(step, 256), 256, 0, static_cast<const DFr*>(scalars), count,
                step, static_cast<DFr*>(sums));
}
Status transform_value_parts(Stream& stream, const void* values, size_t count, const void* base,
                             const void* step, uint32_t threads, void* parts) {
  return launch(stream, "value_parts", value_parts, blocks_for(threads, 256), 256, 0,
                static_cast<const DFr*>(values), count, from<DFr>(base), from<DFr>(step), threads,
                static_cast<DFr*>(parts));
}
Status count_differences(Stream& stream, const void* a, const void* b, size_t count, uint32_t* differences) {
  CUZK_TRY(stream.fill(differences, 0, 4));
  return launch(stream, "differ", differ, blocks_for(count, 256), 256, 0, static_cast<const DFr*>(a),
                static_cast<const DFr*>(b), count, differences);
}
Status multiply_in_registers(Stream& stream, int which, unsigned blocks, unsigned rounds, void* data) {
  auto* fr = static_cast<DFr*>(data);
  auto* fp = static_cast<DFp*>(data);
  switch (which) {
    case 0:
      return launch(stream, "products", products<DFr, false>, blocks, 256, 0, fr, rounds);
    case 1:
      return launch(stream, "products", products<DFp, false>, blocks, 256, 0, fp, rounds);
    case 2:
      return launch(stream, "products", products<DFr, true>, blocks, 256, 0, fr, rounds);
    case 3:
      return launch(stream, "products", products<DFp, true>, blocks, 256, 0, fp, rounds);
    case 4:
      return launch(stream, "additions", additions<LaneFp>, blocks, 128, 0, fp, rounds);
    default:
      return launch(stream, "additions", additions<PairFp2>, blocks, 128, 0, fp, rounds);
  }
}

Status launch_wrongly(Stream& stream) {
  return launch(stream, "write_to", write_to, 1, 4096, 0, static_cast<uint32_t*>(nullptr));
}
Status write_nowhere(Stream& stream) {
  return launch(stream, "write_to", write_to, 1, 32, 0, reinterpret_cast<uint32_t*>(uintptr_t{1} << 50));
}

}  // namespace cuzk::gpu
