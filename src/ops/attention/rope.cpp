#include "ops/attention/rope.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/args/attention.hpp"
#include "ops/attention/rotate.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"

namespace aclvk::ops {
namespace {

/// Writes x, rotated, to out, which shares no memory with x.
Kernels rotate(const char* name, Rotary rotary, const Tensor& x, const Tensor& cos, const Tensor& sin,
               const Tensor& out) {
  // Rotary position embedding (Su et al., RoFormer, 2021): (x1 cos1 - x2 sin1, x2 cos2 + x1 sin2) for each pair
  // (x1, x2).
  const auto [x1, x2] = pair_views(x, rotary, true);
  const auto [cos1, cos2] = pair_views(cos, rotary, false);
  const auto [sin1, sin2] = pair_views(sin, rotary, false);
  const auto [out1, out2] = pair_views(out, rotary, false);
  Kernels kernels = rotate_coordinate(name, {&x1, &cos1, &x2, &sin1, &out1}, true);
  append(kernels, rotate_coordinate(name, {&x2, &cos2, &x1, &sin2, &out2}, false));
  return kernels;
}

/// Rotates x in place, by way of the workspace: both elements of a pair need both.
Kernels rotate_in_place(const char* name, Rotary rotary, const Tensor& x, const Tensor& cos, const Tensor& sin,
                        Staging& staging) {
  const Tensor rotated = staging.make(x.shape, x.dtype);
  Kernels kernels = rotate(name, rotary, x, cos, sin, rotated);
  append(kernels, copy_kernels(name, x, rotated));
  return kernels;
}

void check_columns(const Tensor& x, const char* name, Rotary rotary) {
  const std::int64_t unit = rotary == Rotary::kQuarter ? 4 : 2;
  const bool has_room = rotary != Rotary::kQuarter || x.shape.size() < kMaxRank;
  check(!x.shape.empty() && x.shape.back() % unit == 0 && has_room, Code::kNnInvalid,
        "{} has shape {}; the last dimension is a multiple of {}, and quarters need a dimension more.", name, x.shape,
        unit);
}

/// Checks that cos or sin broadcasts to x, with a last dim of full size.
void check_angles(const TensorParameters& tensors, TensorParameters::ParamId angles, const Tensor& x,
                  const char* name) {
  const Shape& shape = tensors[angles].shape;
  const bool fits = !shape.empty() && shape.back() == x.shape.back() && broadcast(shape, x.shape) == x.shape;
  check(fits, Code::kNnInvalid,
        "{} has shape {} and {} has shape {}; the first must broadcast to the second, with the same last dimension.",
        tensors.name(angles), shape, name, x.shape);
}

std::shared_ptr<Executor> plan_rotation(const char* name, std::int64_t mode, const InputArg& x_handle,
                                        const InputArg& cos_handle, const InputArg& sin_handle,
                                        const OutputArg& out_handle) {
  TensorParameters tensors;
  const auto x = tensors.input(x_handle);
  const auto cos = tensors.input(cos_handle);
  const auto sin = tensors.input(sin_handle);
  const auto out = tensors.output(out_handle);
  tensors.check_all(kRotated);
  check(mode >= 0 && mode <= 3, Code::kNnInvalid, "mode is {}; 0 to 3 are expected.", mode);
  const auto rotary = static_cast<Rotary>(mode);
  check_columns(tensors[x], "x", rotary);
  check_angles(tensors, cos, tensors[x], "x");
  check_angles(tensors, sin, tensors[x], "x");
  tensors.check_shape(out, tensors[x].shape, "x has shape");
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    if (is_same_view(*bound[out], *bound[x])) {
      check_disjoint(*bound[out], "out", *bound[cos], "cos");
      check_disjoint(*bound[out], "out", *bound[sin], "sin");
      return rotate_in_place(name, rotary, *bound[x], *bound[cos], *bound[sin], staging);
    }
    check_disjoint(*bound[out], "out", *bound[x], "x");
    return rotate(name, rotary, *bound[x], *bound[cos], *bound[sin], *bound[out]);
  });
}

Rotary rotary_of(const char* mode) {
  require(mode, "rotaryMode");
  constexpr std::array<std::pair<std::string_view, Rotary>, 3> kModes = {
      {{"half", Rotary::kHalf}, {"interleave", Rotary::kInterleaved}, {"quarter", Rotary::kQuarter}}};
  for (const auto& [name, rotary] : kModes) {
    if (name == mode) return rotary;
  }
  fail(Code::kNnInvalid, "rotaryMode is \"{}\"; expected \"half\", \"interleave\" or \"quarter\".", mode);
}

}  // namespace

std::shared_ptr<Executor> plan_rotary(const InputArg& x, const InputArg& cos, const InputArg& sin, std::int64_t mode,
                                      const OutputArg& out) {
  return plan_rotation("aclnnRotaryPositionEmbedding", mode, x, cos, sin, out);
}

/// Plans aclnnInterleaveRope.
std::shared_ptr<Executor> plan(const InterleaveRopeArgs& args) {
  return plan_rotation("aclnnInterleaveRope", static_cast<std::int64_t>(Rotary::kInterleavedIn), args.x, args.cos,
                       args.sin, args.out);
}

std::shared_ptr<Executor> plan_apply_rotary(const char* name, const ApplyRotaryHandles& handles, std::int64_t layouts,
                                            const char* mode) {
  const std::int64_t layout = handles.layout;
  TensorParameters tensors;
  const auto query = tensors.updated(handles.query);
  const auto key = tensors.updated(handles.key);
  const auto cos = tensors.input(handles.cos);
  const auto sin = tensors.input(handles.sin);
  const Rotary rotary = rotary_of(mode);
  tensors.check_all(kRotated);
  check(layout >= 1 && layout <= layouts, Code::kNnInvalid, "layout is {}; 1 to {} are expected.", layout, layouts);
  for (const auto param : {query, key}) {
    check_columns(tensors[param], tensors.name(param), rotary);
    check_angles(tensors, cos, tensors[param], tensors.name(param));
    check_angles(tensors, sin, tensors[param], tensors.name(param));
  }
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_disjoint(*bound[query], "queryRef", *bound[key], "keyRef");
    check_disjoint(*bound[query], "queryRef", *bound[cos], "cos");  // they are read again for the key
    check_disjoint(*bound[query], "queryRef", *bound[sin], "sin");
    Kernels kernels = rotate_in_place(name, rotary, *bound[query], *bound[cos], *bound[sin], staging);
    append(kernels, rotate_in_place(name, rotary, *bound[key], *bound[cos], *bound[sin], staging));
    return kernels;
  });
}

}  // namespace aclvk::ops
