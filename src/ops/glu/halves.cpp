#include "ops/glu/halves.hpp"

#include "base/error.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

Tensor Halves::view(const Tensor& x, Half half) const {
  const std::int64_t size = x.shape[dim] / 2;
  const std::int64_t other = interleaved ? 1 : size;
  return sliced(x, dim, half == Half::kFirst ? 0 : other, size, interleaved ? 2 : 1);
}

Halves check_halves(const Tensor& x, const char* name, std::int64_t dim, Half activated, bool interleaved) {
  check(!x.shape.empty(), Code::kNnInvalid, "{} is a scalar; a dimension that is split in two is expected.", name);
  const std::size_t along = checked_dim(dim, x.shape.size(), "dim");
  check(x.shape[along] % 2 == 0, Code::kNnInvalid,
        "{} has shape {}; dimension {} is split in two, so an even size is expected.", name, x.shape, dim);
  return {along, activated, interleaved};
}

void check_overlap(const Tensor& out, const char* out_name, const Halves& halves, const Tensor& x, const char* x_name) {
  bool is_half = false;
  for (const Tensor& half : {halves.gate(x), halves.linear(x)}) {
    check_overlap(out, out_name, half, x_name);
    is_half = is_half || is_same_view(out, half);
  }
  // Interleaved halves have gaps between their elements, so x is compared as a whole, too.
  if (!is_half) check_overlap(out, out_name, x, x_name);
}

Shape half_shape(const Tensor& x, const Halves& halves) {
  Shape shape = x.shape;
  shape[halves.dim] /= 2;
  return shape;
}

}  // namespace aclvk::ops
