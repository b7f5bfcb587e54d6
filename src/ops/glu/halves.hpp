#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/executor/args.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// The half that a unit activates (the gate); the other half is the linear one.
enum class Half { kFirst, kSecond };

/// A split of a tensor in two halves along a dim: contiguous halves, or even and odd elements (interleaved).
struct Halves {
  std::size_t dim = 0;
  Half activated = Half::kFirst;
  bool interleaved = false;

  Tensor gate(const Tensor& x) const { return view(x, activated); }
  Tensor linear(const Tensor& x) const { return view(x, activated == Half::kFirst ? Half::kSecond : Half::kFirst); }

 private:
  Tensor view(const Tensor& x, Half half) const;
};

/// Returns the split of x; 161002 unless x has the dim and its size is even. `name` is the parameter's name.
Halves check_halves(const Tensor& x, const char* name, std::int64_t dim, Half activated, bool interleaved);

/// Like check_overlap of ops/tensor/tensor.hpp, for an output and x; the output may be exactly one half of x.
void check_overlap(const Tensor& out, const char* out_name, const Halves& halves, const Tensor& x, const char* x_name);

/// Returns the shape of one half of x.
Shape half_shape(const Tensor& x, const Halves& halves);

}  // namespace aclvk::ops
