#include "ops/shape/window_call.hpp"

#include <numeric>

#include "ops/shape/view.hpp"

namespace aclvk::ops {

using runtime::Access;

WindowCall::WindowCall(std::string_view name, std::string_view shader, const WindowWalk& walk, DType promoted,
                       const Tensor& x, const Tensor& out)
    : whole_x_(repeated(x, x.shape.size(), 1)), steps_(x.strides), numbers_(out.shape.size(), 0) {
  const std::size_t rank = out.shape.size();
  const std::size_t lead = rank - walk.windows.size();
  call.name = name;
  call.shader = shader;
  call.constants = {static_cast<std::uint32_t>(promoted), static_cast<std::uint32_t>(walk.placement)};
  call.arguments = {static_cast<std::uint32_t>(walk.tap_step)};
  // The shader has three dims; those that are missing have one place with one element.
  for (std::size_t i = walk.windows.size(); i < kMostSpatialDims; ++i) {
    for (const std::uint32_t word : {1U, 1U, 0U, 1U, 1U, 0U, 1U, 1U, 1U, 1U}) call.arguments.push_back(word);
  }
  if (walk.tap_step > 0) {
    whole_x_.strides.back() = walk.tap_step;
    for (const Window& window : walk.windows) whole_x_.shape.back() *= window.size;
  }
  std::int64_t number = 1;
  for (std::size_t dim = rank; dim-- > lead; number *= out.shape[dim]) {
    steps_[dim] = 0;
    numbers_[dim] = number;
  }
  for (std::size_t i = 0; i < walk.windows.size(); ++i) {
    const Window& window = walk.windows[i];
    const std::int64_t spread = walk.placement == Placement::kSpread ? walk.spread[i] : 1;
    const std::int64_t divisor = std::gcd(window.dilation, spread);
    const std::int64_t period = spread / divisor;
    for (const std::int64_t word :
         {out.shape[lead + i], x.shape[lead + i], x.strides[lead + i], (window.size + period - 1) / period, window.step,
          window.before, window.dilation / divisor, window.size, period, divisor}) {
      call.arguments.push_back(static_cast<std::uint32_t>(word));
    }
  }
  call.operands = {{&whole_x_, Access::kRead, false, &steps_}, {&out, Access::kRead, true, &numbers_}};
}

}  // namespace aclvk::ops
