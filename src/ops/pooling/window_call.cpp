#include "ops/pooling/window_call.hpp"

#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "pooling/windows.args.h"

namespace aclvk::ops {

using runtime::Access;

namespace {

ARGUMENT_STRUCT(WindowArguments, WINDOW_MEMBERS);
ARGUMENT_STRUCT(WindowsArguments, WINDOWS_ARGUMENTS);
CONSTANT_STRUCT(WindowsConstants, WINDOWS_CONSTANTS);

/// The rows of a window (`outer`), and the elements of a row (`inner`).
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

/// Returns how many elements an iteration of the innermost loop visits, so that a thread stays below the limit of
/// iterations.
std::uint32_t unroll_factor(const WindowWalk& walk) {
  const Extent extent = extent_of(walk);
  // Each row costs its elements and about two iterations of the outer loops.
  return extent.outer * (extent.inner + 2) <= kMaxIterations ? 1 : kMaxUnroll;
}

/// An estimate of the elements that the separable kernels read, and the direct one. Writing a result counts as
/// kReadsPerWrite reads.
struct Reads {
  double separable = 0;
  double direct = 1;
};

Reads reads_of(const WindowWalk& walk, const Shape& x, const Shape& out) {
  constexpr double kReadsPerWrite = 16;
  Reads reads;
  Shape shape = x;
  for (std::size_t i = walk.windows.size(); i-- > 0;) {
    const std::size_t dim = x.size() - walk.windows.size() + i;
    const auto size = static_cast<double>(walk.windows[i].size);
    // A pass reads a window for each element of its result, whose later dims are already pooled.
    shape[dim] = out[dim];
    reads.separable += static_cast<double>(element_count(shape)) * (size + kReadsPerWrite);
    reads.direct *= size;
  }
  reads.direct *= static_cast<double>(element_count(out));
  return reads;
}

WindowsArguments arguments_of(const WindowWalk& walk, const Tensor& x, const Tensor& out) {
  const std::size_t lead = out.shape.size() - walk.windows.size();
  // The shader has three window dims; missing ones come first, with one position and one element.
  WindowsArguments arguments;
  const std::size_t missing = arguments.windows.size() - walk.windows.size();
  for (std::size_t i = 0; i < arguments.windows.size(); ++i) {
    WindowArguments& to = arguments.windows[i];
    const bool exists = i >= missing;
    const Window window = exists ? walk.windows[i - missing] : Window{};
    const std::size_t dim = lead + i - missing;
    to.positions = exists ? word(out.shape[dim]) : 1;
    to.extent = exists ? signed_word(x.shape[dim]) : 1;
    to.stride = exists ? word(x.strides[dim]) : 0;
    to.size = signed_word(window.size);
    to.step = signed_word(window.step);
    to.before = signed_word(window.before);
    to.dilation = signed_word(window.dilation);
  }
  return arguments;
}

}  // namespace

bool use_separable(const WindowWalk& walk, const Shape& x, const Shape& out) {
  constexpr double kFewElements = 64;     // too few for a second kernel to pay off
  constexpr double kManyElements = 4096;  // too many for one thread, as there may be few threads
  double elements = 1;
  for (const Window& window : walk.windows) elements *= static_cast<double>(window.size);
  if (elements <= kFewElements) return false;
  const Reads reads = reads_of(walk, x, out);
  return elements > kManyElements || reads.separable < reads.direct / 2;
}

WindowCall::WindowCall(std::string_view name, std::string_view shader, const WindowWalk& walk, DType promoted,
                       const Tensor& x, const Tensor& out)
    : steps_(x.strides), numbers_(out.shape.size(), 0) {
  const std::size_t rank = out.shape.size();
  const std::size_t lead = rank - walk.windows.size();
  call.name = name;
  call.shader = shader;
  call.promoted = promoted;
  WindowsConstants constants;
  constants.kPlacement = static_cast<uint>(walk.placement);
  constants.kUnroll = static_cast<int>(unroll_factor(walk));
  add_constants(call, constants);
  std::int64_t number = 1;
  for (std::size_t dim = rank; dim-- > lead; number *= out.shape[dim]) {
    // The window's start comes from the position number, so x has no stride along window dims.
    steps_[dim] = 0;
    numbers_[dim] = number;
  }
  add_arguments(call, arguments_of(walk, x, out));
  call.operands = {{&x, Access::kRead, false, &steps_}, {&out, Access::kRead, true, &numbers_}};
}

}  // namespace aclvk::ops
