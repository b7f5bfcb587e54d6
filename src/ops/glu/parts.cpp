#include "ops/glu/parts.hpp"

#include "base/error.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {

Tensor Parts::part(const Tensor& x, Half half) const {
  const std::int64_t size = x.shape[dim] / 2;
  const std::int64_t other = interleaved ? 1 : size;
  return sliced(x, dim, half == Half::kFirst ? 0 : other, size, interleaved ? 2 : 1);
}

Parts check_parts(const Tensor& x, const char* name, std::int64_t dim, Half activated, bool interleaved) {
  check(!x.shape.empty(), Code::kNnInvalid, "{} has no dimensions; one of them is split in two parts.", name);
  const std::size_t along = checked_dim(dim, x.shape.size(), "dim");
  check(x.shape[along] % 2 == 0, Code::kNnInvalid, "{} has shape {}; dimension {} is split in two equal parts.", name,
        x.shape, dim);
  return {along, activated, interleaved};
}

void check_overlap(const Tensor& out, const char* out_name, const Parts& parts, const Tensor& x, const char* x_name) {
  bool is_part = false;
  for (const Tensor& part : {parts.gate(x), parts.linear(x)}) {
    check_overlap(out, out_name, part, x_name);
    is_part = is_part || is_same_view(out, part);
  }
  // Parts have gaps where x has none.
  if (!is_part) check_overlap(out, out_name, x, x_name);
}

Shape part_shape(const Tensor& x, const Parts& parts) {
  Shape shape = x.shape;
  shape[parts.dim] /= 2;
  return shape;
}

}  // namespace aclvk::ops
