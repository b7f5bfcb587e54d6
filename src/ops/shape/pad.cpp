#include "ops/shape/pad.hpp"

#include "base/error.hpp"
#include "ops/args/shape.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/shape/copies.hpp"
#include "ops/shape/remap.hpp"
#include "ops/shape/windows.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kCircular = {DType::kFloat16, DType::kBfloat16, DType::kFloat, DType::kInt8, DType::kInt32};
constexpr DTypeSet kPaddable = kMovable.with(kWideUnsigned).with(kFloat8s).with(kScales);
constexpr DTypeSet kWindows = kCommon.with(kWideUnsigned).with(kDoubles).with({DType::kComplex32, DType::kComplex64});

struct PadRow {
  std::size_t dims;
  Rule rule;
  DTypeSet dtypes;
};

const PadRow& row_of(PadOp op) {
  static constexpr PadRow kRows[] = {
#define PAD(name, dims, rule, dtypes) {dims, Rule::rule, dtypes},
#include "ops/shape/pad.def"
#undef PAD
  };
  return kRows[static_cast<std::size_t>(op)];
}

/// A call whose dtypes have been checked.
struct PadCall {
  TensorPtr self;
  TensorPtr out;
  std::vector<std::int64_t> padding;
};

void check_operands(const PadCall& call, const DTypeSet& dtypes) {
  check_dtype(*call.self, "self", dtypes);
  check_dtype(*call.out, "out", dtypes);
  check_same_dtype(*call.out, "out", *call.self, "self");
  check_view(*call.self, "self");
  check_view(*call.out, "out");
}

/// Returns the padded shape, and sets the rule of each dim.
Shape padded(const PadCall& call, Rule rule, DimRules& rules) {
  Shape shape = call.self->shape;
  rules.resize(shape.size());
  for (std::size_t i = 0; 2 * i < call.padding.size(); ++i) {
    const std::size_t dim = shape.size() - 1 - i;
    const std::int64_t before = call.padding[2 * i];
    const std::int64_t after = call.padding[2 * i + 1];
    constexpr std::int64_t kMax = std::int64_t{1} << 31;
    const bool small = before > -kMax && before < kMax && after > -kMax && after < kMax;
    check(small && shape[dim] < kMax && shape[dim] + before + after >= 0, Code::kNnInvalid,
          "the padding of dimension {} is {} and {}; it has {} elements.", dim, before, after, shape[dim]);
    if (before == 0 && after == 0) continue;
    shape[dim] += before + after;
    // The input coordinate of an output is c - before.
    rules[dim] = {rule, 1, static_cast<double>(-before)};
  }
  return shape;
}

/// Throws 161002 for padding that is too large: reflection pads less than the size, circular padding at most the size.
void check_reach(const PadCall& call, Rule rule) {
  for (std::size_t i = 0; i < call.padding.size(); ++i) {
    const std::int64_t size = call.self->shape[call.self->shape.size() - 1 - i / 2];
    const std::int64_t most = rule == Rule::kReflect ? size - 1 : rule == Rule::kWrap ? size : call.padding[i];
    check(call.padding[i] <= most && size > 0, Code::kNnInvalid,
          "padding {} is {}; the dimension has {} elements, so at most {} can be added.", i, call.padding[i], size,
          most);
  }
}

}  // namespace

std::shared_ptr<Executor> plan_pad(const char* name, PadOp op, const InputArg& self, const IntArrayArg& padding,
                                   const OutputArg& out) {
  const TensorPtr input = required_tensor(self);
  const auto values = required_ints(padding);
  const PadCall call{input, required_tensor(out), values};
  const PadRow& row = row_of(op);
  check_operands(call, row.dtypes);
  const std::size_t rank = input->shape.size();
  check(rank == row.dims + 1 || rank == row.dims + 2, Code::kNnInvalid, "self has {} dimensions; expected {} or {}.",
        rank, row.dims + 1, row.dims + 2);
  check(values.size() == 2 * row.dims, Code::kNnInvalid, "padding has {} values; expected {}.", values.size(),
        2 * row.dims);
  check_reach(call, row.rule);
  DimRules rules;
  check_shape(*call.out, "out", padded(call, row.rule, rules), "the padded shape is");
  return plan_remap(name, *input, "self", *call.out, rules);
}

/// aclnnConstantPadNd: pads the last dims with a value; negative padding crops.
std::shared_ptr<Executor> plan(const ConstantPadNdArgs& args) {
  const TensorPtr input = required_tensor(args.self);
  const auto values = required_ints(args.pad);
  const ScalarPtr value = required_scalar(args.value);
  const PadCall call{input, required_tensor(args.out), values};
  check_operands(call, kPaddable);
  check(kind_of(value->dtype()) != Kind::kComplex || kind_of(input->dtype) == Kind::kComplex, Code::kNnInvalid,
        "value has dtype {}; self has {}, which holds no complex numbers.", value->dtype(), input->dtype);
  check(values.size() % 2 == 0 && values.size() <= 2 * input->shape.size(), Code::kNnInvalid,
        "pad has {} values; expected two for each of at most {} dimensions.", values.size(), input->shape.size());
  DimRules rules;
  check_shape(*call.out, "out", padded(call, Rule::kInside, rules), "the padded shape is");
  return plan_remap("aclnnConstantPadNd", *input, "self", *call.out, rules, value->to_element(input->dtype));
}

/// aclnnIm2col: the elements of each window position become a column.
std::shared_ptr<Executor> plan(const Im2colArgs& args) {
  constexpr const char* kName = "aclnnIm2col";
  const TensorPtr input = required_tensor(args.self);
  const std::vector<std::int64_t> lists[] = {required_ints(args.kernelSize), required_ints(args.dilation),
                                             required_ints(args.padding), required_ints(args.stride)};
  const PadCall call{input, required_tensor(args.out), {}};
  check_operands(call, kWindows);
  const std::size_t rank = input->shape.size();
  check(rank == 3 || rank == 4, Code::kNnInvalid, "self has {} dimensions; expected 3 or 4.", rank);
  for (const auto& list : lists) {
    check(list.size() == 2, Code::kNnInvalid,
          "one of kernelSize, dilation, padding and stride has {} values; expected 2.", list.size());
  }
  const WindowValues sizes = window_values(lists[0], "kernelSize", 2, 1);
  const WindowValues dilations = window_values(lists[1], "dilation", 2, 1);
  const WindowValues paddings = window_values(lists[2], "padding", 2, 0);
  const WindowValues steps = window_values(lists[3], "stride", 2, 1);
  const Window rows{sizes[0], steps[0], paddings[0], paddings[0], dilations[0]};
  const Window columns{sizes[1], steps[1], paddings[1], paddings[1], dilations[1]};
  const std::int64_t down = rows.output_size(input->shape[rank - 2]);
  const std::int64_t across = columns.output_size(input->shape[rank - 1]);
  check(down > 0 && across > 0, Code::kNnInvalid, "self has shape {}; the window has no position in it.", input->shape);
  Shape shape(input->shape.begin(), input->shape.end() - 2);
  shape.back() *= rows.size * columns.size;
  shape.push_back(down * across);
  check_shape(*call.out, "out", shape, "the windows make");

  Shape padded_shape = input->shape;
  padded_shape[rank - 2] += rows.before + rows.after;
  padded_shape[rank - 1] += columns.before + columns.after;
  const bool pads = rows.before > 0 || columns.before > 0;
  const std::uint64_t bytes =
      pads ? static_cast<std::uint64_t>(element_count(padded_shape)) * size_of(input->dtype) : 0;
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "self");
    Kernels kernels;
    Tensor image = bound.input(0);
    // Windows are strided views, which cannot reach outside of the image, so padding needs a copy.
    if (pads) {
      image = row_major(padded_shape, image.dtype, bound.workspace);
      kernels = crop_kernels(kName, image, bound.input(0), {-rows.before, -columns.before});
    }
    // A window along a dim is a view with two dims: the taps, a dilation apart, and the positions, a step apart.
    const Tensor from = windows_of(windows_of(image, rank - 1, columns, across), rank - 2, rows, down);
    // From (.., kernel row, output row, kernel column, output column) to out, where both kernel dims come first.
    Tensor to = unflattened(bound.output(0), rank - 3, rows.size * columns.size);
    to = unflattened(to, rank - 2, columns.size);
    to = unflattened(to, rank, across);
    Shape order(to.shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::swap(order[rank - 1], order[rank]);
    append(kernels, copy_kernels(kName, permuted(to, order), from));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{input.get()}, {call.out.get()}}, std::move(build),
                                    bytes);
}

}  // namespace aclvk::ops
