#include "ops/matmul/quantised/quant_word.hpp"

#include "base/error.hpp"
#include "matmul/quantised/quant_word.args.h"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

CONSTANT_STRUCT(QuantWordConstants, QUANT_WORD_CONSTANTS);

/// kPart of shaders/matmul/quantised/quant_word.comp.
enum class Part : std::uint32_t { kCutScale = 0, kRoundedScale = 1, kUpperHalf = 2, kOffset = 3 };

constexpr std::uint32_t kFixedBit = 0x4000;  // bit 46 of a word, always 1, within the upper half

/// Returns a strided view of one of `count` equal parts of each word.
Tensor part_of(Tensor words, DType dtype, std::int64_t count, std::int64_t part) {
  words.dtype = dtype;
  // Offsets and strides count elements, which are `count` times as many in the view.
  words.offset = words.offset * count + part;
  for (std::int64_t& stride : words.strides) stride *= count;
  return words;
}
Tensor lower_half(const Tensor& words) { return part_of(words, DType::kFloat, 2, 0); }
Tensor upper_half(const Tensor& words) { return part_of(words, DType::kInt32, 2, 1); }

Kernels part_kernels(const char* name, Part part, const Tensor& from, const Tensor& to) {
  StridedCall call;
  call.name = name;
  call.shader = "matmul/quantised/quant_word_f32";
  call.operands = {{&from, Access::kRead}, {&to, Access::kWrite}};
  call.promoted = DType::kFloat;
  QuantWordConstants constants;
  constants.kPart = static_cast<uint>(part);
  add_constants(call, constants);
  return strided_kernels(call);
}

}  // namespace

bool is_quant_word(DType dtype) { return dtype == DType::kUint64 || dtype == DType::kInt64; }

Tensor float_scale(const Tensor& scale) { return is_quant_word(scale.dtype) ? lower_half(scale) : scale; }

Tensor word_offsets(const char* name, const Tensor& words, Staging& staging, Kernels& before) {
  const Tensor offsets = staging.make(words.shape, DType::kFloat);
  // The upper half does not fit into a float's 24 bits; its lower 16 bits contain the offset.
  append(before, part_kernels(name, Part::kOffset, part_of(words, DType::kUint16, 4, 2), offsets));
  return offsets;
}

std::shared_ptr<Executor> plan_quant_words(const char* name, const InputArg& scale, const InputArg& offset,
                                           std::int64_t round_mode, const OutputArg& out) {
  TensorParameters tensors;
  const auto at_scale = tensors.input(scale);
  const auto at_offset = tensors.optional_input(offset);
  const auto at_out = tensors.output(out);
  tensors.check_dtypes(dtypes_of(name));
  tensors.check_views();
  const Tensor& given = tensors[at_scale];
  const Shape shape =
      tensors.has(at_offset) ? check_broadcast(given, "scale", tensors[at_offset], "offset") : given.shape;
  tensors.check_shape(at_out, shape, "scale and offset make");
  check(round_mode == 0 || round_mode == 1, Code::kNnInvalid, "roundMode is {}; 0 and 1 are expected.", round_mode);
  const Part part = round_mode == 0 ? Part::kCutScale : Part::kRoundedScale;
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging&) {
    const Tensor& words = *bound[at_out];
    check_disjoint(words, "out", *bound[at_scale], "scale");
    if (bound[at_offset]) check_disjoint(words, "out", *bound[at_offset], "offset");
    // Each half of the words is written by a kernel of its own, so no 64-bit integers are needed.
    Kernels kernels = part_kernels(name, part, *bound[at_scale], lower_half(words));
    append(kernels, bound[at_offset] ? part_kernels(name, Part::kUpperHalf, *bound[at_offset], upper_half(words))
                                     : fill_kernels(name, upper_half(words), {kFixedBit}));
    return kernels;
  });
}

}  // namespace aclvk::ops
