#include "ops/pooling/window_call.hpp"

#include "base/error.hpp"
#include "ops/turns.hpp"

namespace aclvk::ops {

using runtime::Access;

namespace {

/// Elements of a window in each of its rows, and how many rows there are.
struct Extent {
  std::int64_t outer = 1;
  std::int64_t inner = 1;
};

Extent extent_of(const WindowWalk& walk) {
  Extent extent;
  for (std::size_t i = 0; i + 1 < walk.windows.size(); ++i) extent.outer *= walk.windows[i].size;
  extent.inner = walk.windows.back().size;
  return extent;
}

/// Elements of a window that a turn of the inner loop takes, so that there are not too many turns.
std::uint32_t taken_at_once(std::string_view name, const WindowWalk& walk) {
  const Extent extent = extent_of(walk);
  if (extent.outer * (extent.inner + 2) <= kMostTurns) return 1;
  check(fits_a_thread(walk), Code::kFeatureNotSupported,
        "a window of {} has {} elements, {} of them in a row; so large ones are not supported.", name,
        extent.outer * extent.inner, extent.inner);
  return kManyAtOnce;
}

}  // namespace

bool fits_a_thread(const WindowWalk& walk) {
  const Extent extent = extent_of(walk);
  return extent.outer * (extent.inner / kManyAtOnce + 3) <= kMostTurns;
}

WindowCall::WindowCall(std::string_view name, std::string_view shader, const WindowWalk& walk, DType promoted,
                       const Tensor& x, const Tensor& out)
    : steps_(x.strides), numbers_(out.shape.size(), 0) {
  const std::size_t rank = out.shape.size();
  const std::size_t lead = rank - walk.windows.size();
  call.name = name;
  call.shader = shader;
  call.constants = {static_cast<std::uint32_t>(promoted), static_cast<std::uint32_t>(walk.placement),
                    taken_at_once(name, walk)};
  // The shader has three dims; those that are missing have one place with one element.
  for (std::size_t i = walk.windows.size(); i < kMostSpatialDims; ++i) {
    for (const std::uint32_t word : {1U, 1U, 0U, 1U, 1U, 0U, 1U}) call.arguments.push_back(word);
  }
  std::int64_t number = 1;
  for (std::size_t dim = rank; dim-- > lead; number *= out.shape[dim]) {
    steps_[dim] = 0;
    numbers_[dim] = number;
  }
  for (std::size_t i = 0; i < walk.windows.size(); ++i) {
    const Window& window = walk.windows[i];
    for (const std::int64_t word : {out.shape[lead + i], x.shape[lead + i], x.strides[lead + i], window.size,
                                    window.step, window.before, window.dilation}) {
      call.arguments.push_back(static_cast<std::uint32_t>(word));
    }
  }
  call.operands = {{&x, Access::kRead, false, &steps_}, {&out, Access::kRead, true, &numbers_}};
}

}  // namespace aclvk::ops
