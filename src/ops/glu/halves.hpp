#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/tensor.hpp"

namespace aclvk::ops {

/// A tensor as a call names it.
struct NamedTensor {
  const char* name;
  const void* handle;
};

/// The part of a gated linear unit that is activated; the other one is the linear part.
enum class Half { kFirst, kSecond };

/// How the two halves of a tensor lie in it along a dim: side by side, or as its even and odd elements.
struct Halves {
  std::size_t dim = 0;
  Half activated = Half::kFirst;
  bool interleaved = false;

  Tensor gate(const Tensor& x) const { return view(x, activated); }
  Tensor linear(const Tensor& x) const { return view(x, activated == Half::kFirst ? Half::kSecond : Half::kFirst); }

 private:
  Tensor view(const Tensor& x, Half half) const;
};

/// 161002 unless x has such a dim, of an even size. `name` is that of x.
Halves check_halves(const Tensor& x, const char* name, std::int64_t dim, Half activated, bool interleaved);

/// As check_overlap of ops/tensor.hpp, of an output and x; the output may be a part of x.
void check_overlap(const Tensor& out, const char* out_name, const Halves& halves, const Tensor& x, const char* x_name);

/// The shape of a part.
Shape half_shape(const Tensor& x, const Halves& halves);

}  // namespace aclvk::ops
