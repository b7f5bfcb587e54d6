
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "ops/args/reduction.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/reduction/reduce.hpp"
#include "reduction/histogram.args.h"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using runtime::Kernel;

ARGUMENT_STRUCT(HistogramArguments, HISTOGRAM_ARGUMENTS);
CONSTANT_STRUCT(HistogramConstants, HISTOGRAM_CONSTANTS);

constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("reduction/histogram");
constexpr std::int64_t kChunk = 1024;

constexpr DTypeSet kCountable = {DType::kFloat, DType::kFloat16, DType::kInt32, DType::kInt64,
                                 DType::kInt16, DType::kInt8,    DType::kUint8};
constexpr DTypeSet kBins = {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64, DType::kUint8};
constexpr DTypeSet kWeights = {DType::kFloat, DType::kFloat16, DType::kDouble, DType::kInt8, DType::kInt16,
                               DType::kInt32, DType::kInt64,   DType::kUint8,  DType::kBool};
constexpr DTypeSet kSums = {DType::kInt32, DType::kInt64, DType::kFloat, DType::kDouble};

/// kPhase of histogram.comp.
enum class Phase : std::uint32_t { kClear = 0, kCount = 1, kWrite = 2 };

struct Histogram {
  const char* name;
  ComputeClass compute;
  DType promoted;
  bool direct = false;     ///< an element is the number of its bin
  bool own_range = false;  ///< the range is the minimum and maximum of the elements
  std::array<std::uint32_t, 4> low{};
  std::array<std::uint32_t, 4> high{};
};

/// The common part of the three kernels, without rows. `range` may be null.
RowCall histogram_call(const Histogram& histogram, Phase phase, std::int64_t bins) {
  RowCall call;
  call.name = histogram.name;
  call.shader = kShaders[static_cast<std::size_t>(histogram.compute)];
  call.promoted = histogram.promoted;
  HistogramConstants constants;
  constants.kPhase = static_cast<uint>(phase);
  constants.kDirect = histogram.direct;
  constants.kOwnRange = histogram.own_range;
  add_constants(call, constants);
  HistogramArguments arguments;
  arguments.bins = word(bins);
  arguments.low = {histogram.low[0], histogram.low[1]};
  arguments.high = {histogram.high[0], histogram.high[1]};
  add_arguments(call, arguments);
  // Threads add to the bins by atomics on integers, so results are deterministic and need no joined states.
  call.one_thread_per_row = true;
  call.count = 1;
  return call;
}

RowOperand at_bins(const Tensor& tensor, Access access) {
  return {tensor.address(), size_of(tensor.dtype), tensor.dtype, {tensor.strides[0]}, 0, access, true, 0};
}

/// A kernel over the bins.
std::vector<Kernel> bin_kernels(const Histogram& histogram, Phase phase, const Tensor& counts, const Tensor& out) {
  RowCall call = histogram_call(histogram, phase, out.shape[0]);
  call.rows = {out.shape[0]};
  const RowOperand words = at_bins(counts, Access::kReadWrite);
  call.operands = {words, words, words, phase == Phase::kWrite ? at_bins(out, Access::kWrite) : words};
  return row_kernels(call, {});
}

std::vector<Kernel> count_kernels(const Histogram& histogram, const Tensor& self, const Tensor& counts,
                                  const Tensor* range, std::int64_t bins) {
  RowCall call = histogram_call(histogram, Phase::kCount, bins);
  RowOperand x{self.address(), size_of(self.dtype), self.dtype, self.strides, 1, Access::kRead, false, 0};
  call.rows = self.shape;
  if (!self.shape.empty()) {
    call.count = self.shape.back();
    x.step = self.strides.back();
    call.rows.resize(self.shape.size() - 1);
    x.strides.resize(call.rows.size());
  }
  if (self.empty()) call.rows = {0};
  call.chunk = call.count > kChunk ? kChunk : 0;
  const Shape zero_strides(call.rows.size(), 0);
  const RowOperand words{counts.address(), 4, DType::kUint32, zero_strides, 0, Access::kReadWrite, true, bins - 1};
  RowOperand limits = words;
  if (range) limits = {range->address(), size_of(range->dtype), range->dtype, zero_strides, 0, Access::kRead, true, 1};
  call.operands = {x, words, limits, words};
  return row_kernels(call, {});
}

/// Computes the minimum and maximum, in the dtype in which bins are computed.
Tensor add_range(std::vector<Kernel>& kernels, const Histogram& histogram, const Tensor& self, Staging& staging) {
  const Tensor range = staging.make({2}, histogram.promoted);
  for (const ReduceKind kind : {ReduceKind::kMin, ReduceKind::kMax}) {
    Tensor one = range;
    one.shape = {1};
    one.strides = {1};
    one.offset = kind == ReduceKind::kMax ? 1 : 0;
    Reduction reduction = reduction_of(histogram.name, kind, self, histogram.promoted, one);
    reduction.dims = all_dims(self);
    const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, self, 1));
    const Tensor states = staging.make({bytes}, DType::kUint8);
    append(kernels, reduction_kernels(reduction, self, {&one}, static_cast<std::byte*>(states.data)));
  }
  return range;
}

/// Throws 207000 for more elements than a count holds, or more bins than the shader numbers.
void check_counts(const Histogram& histogram, const Tensor& self, std::int64_t bins) {
  check(self.elements() <= UINT32_MAX, Code::kFeatureNotSupported, "self has {} elements; {} counts up to 2^32 - 1.",
        self.elements(), histogram.name);
  // In the class i32 bins are compared with a sign.
  check(bins <= INT32_MAX, Code::kFeatureNotSupported, "there are {} bins; {} supports up to 2^31 - 1.", bins,
        histogram.name);
}

/// Throws 207000 when the bins are too far apart for one kernel, whose rows have the numbers of the bins.
void check_single_kernel(const Tensor& sums, const char* name) {
  const ByteSpan span = span_of(sums);
  check(span.end - span.begin <= kMaxSpanBytes, Code::kFeatureNotSupported,
        "out spans {} bytes; with weights {} supports up to {}.", span.end - span.begin, name, kMaxSpanBytes);
}

std::shared_ptr<Executor> histogram_executor(const Histogram& histogram, const Tensor& self, const Tensor& out) {
  check_counts(histogram, self, out.shape[0]);
  return staged_executor(
      histogram.name, Executor::Operands{{&self}, {&out}}, [=](const Executor::Operands& bound, Staging& staging) {
        const Tensor& x = bound.input(0);
        const Tensor& result = bound.output(0);
        check_distinct(result, "out");
        check_overlap(result, "out", x, "self");
        // Counts are 32-bit words for atomicAdd. The last kernel converts them to the dtype of out.
        const Tensor counts = staging.make({result.shape[0]}, DType::kUint32);
        auto kernels = bin_kernels(histogram, Phase::kClear, counts, result);
        const bool ranged = histogram.own_range && !x.empty();
        Tensor range;
        if (ranged) range = add_range(kernels, histogram, x, staging);
        append(kernels, count_kernels(histogram, x, counts, ranged ? &range : nullptr, result.shape[0]));
        append(kernels, bin_kernels(histogram, Phase::kWrite, counts, result));
        return kernels;
      });
}

/// Returns whether (x - low) * bins fits into 32 bits. An empty range is widened by 2.
bool fits_32_bits(double range, std::int64_t bins) {
  return (range + 2) * static_cast<double>(bins) < std::ldexp(1, 31);
}

}  // namespace

/// aclnnHistc: the number of elements in each of `bins` equal intervals of [min, max], or of the range of the elements
/// when min equals max.
std::shared_ptr<Executor> plan(const HistcArgs& args) {
  const std::int64_t bins = args.bins;
  const TensorPtr x = required_tensor(args.self);
  const ScalarPtr low = required_scalar(args.min);
  const ScalarPtr high = required_scalar(args.max);
  const TensorPtr counts = required_tensor(args.out);
  check_dtype(*x, "self", kCountable);
  check_dtype(*counts, "out", kCountable);
  check_view(*x, "self");
  check_view(*counts, "out");
  check(bins > 0, Code::kNnInvalid, "bins is {}; there is at least one.", bins);
  check_shape(*counts, "out", {bins}, "there is an element for each bin,");
  check(low->to_double() <= high->to_double(), Code::kNnInvalid, "min is {} and max is {}; min is not greater.",
        low->to_double(), high->to_double());
  check_castable(low->dtype(), DType::kFloat, "min", "the bins");
  check_castable(high->dtype(), DType::kFloat, "max", "the bins");
  Histogram histogram{"aclnnHistc", ComputeClass::kF32, DType::kFloat};
  histogram.own_range = low->to_double() == high->to_double();
  if (kind_of(x->dtype) == Kind::kInteger) {
    // The range of the elements is not known yet; that of their dtype bounds it.
    const double range = histogram.own_range ? std::ldexp(1.0, 8 * static_cast<int>(size_of(x->dtype)))
                                             : high->to_double() - low->to_double();
    // Bins of integers are computed in integers, since a float cannot represent all of them.
    histogram.promoted = fits_32_bits(range, bins) ? DType::kInt32 : DType::kInt64;
  }
  histogram.compute = class_for(histogram.promoted, {x->dtype, counts->dtype});
  if (histogram.compute == ComputeClass::kI64) histogram.promoted = DType::kInt64;
  histogram.low = scalar_words(*low, histogram.compute);
  histogram.high = scalar_words(*high, histogram.compute);
  return histogram_executor(histogram, *x, *counts);
}

/// aclnnBincount: the number of occurrences of each value, or the sum of their weights.
std::shared_ptr<Executor> plan(const BincountArgs& args) {
  const std::int64_t min_length = args.minlength;
  const char* name = "aclnnBincount";
  const TensorPtr x = required_tensor(args.self);
  const TensorPtr weight = optional_tensor(args.weights);
  const TensorPtr sums = required_tensor(args.out);
  check_dtype(*x, "self", kBins);
  if (weight) check_dtype(*weight, "weights", kWeights);
  check_dtype(*sums, "out", kSums);
  check_view(*x, "self");
  if (weight) check_view(*weight, "weights");
  check_view(*sums, "out");
  check(x->shape.size() == 1, Code::kNnInvalid, "self has shape {}; it needs one dim.", x->shape);
  if (weight) check_shape(*weight, "weights", x->shape, "self has shape");
  check(sums->shape.size() == 1, Code::kNnInvalid, "out has shape {}; it needs one dim.", sums->shape);
  check(min_length >= 0 && sums->shape[0] >= min_length, Code::kNnInvalid,
        "minlength is {}; expected 0 to {}, the elements of out.", min_length, sums->shape[0]);
  if (!weight) {
    Histogram histogram{name, ComputeClass::kI32, DType::kInt32, true};
    histogram.compute = class_for(DType::kInt32, {x->dtype, sums->dtype});
    if (histogram.compute == ComputeClass::kI64f) histogram.compute = ComputeClass::kF64;
    histogram.promoted = histogram.compute == ComputeClass::kF64   ? DType::kDouble
                         : histogram.compute == ComputeClass::kI64 ? DType::kInt64
                                                                   : DType::kInt32;
    return histogram_executor(histogram, *x, *sums);
  }
  // Each bin is a row that reads all elements, so that weights are added in a fixed order. Integer weights are
  // summed in double.
  // Float represents the numbers of 2^24 bins exactly.
  const bool wide = class_for(DType::kFloat, {x->dtype, weight->dtype, sums->dtype}) == ComputeClass::kF64 ||
                    kind_of(weight->dtype) != Kind::kFloating || sums->shape[0] > std::int64_t{1} << 24;
  check_single_kernel(*sums, name);
  RowCall fixed;
  fixed.name = name;
  fixed.shader = wide ? "reduction/weighted_count_f64" : "reduction/weighted_count_f32";
  fixed.promoted = wide ? DType::kDouble : DType::kFloat;
  fixed.rows = sums->shape;
  fixed.count = x->shape[0];
  const runtime::Execution execution = runtime::execution();
  return std::make_shared<Executor>(name, Executor::Operands{{x.get(), weight.get()}, {sums.get()}},
                                    [=](const Executor::Operands& bound) {
                                      check_distinct(bound.output(0), "out");
                                      check_overlap(bound.output(0), "out", bound.input(0), "self");
                                      check_overlap(bound.output(0), "out", bound.input(1), "weights");
                                      RowCall call = fixed;
                                      const RowOperand result = at_bins(bound.output(0), Access::kWrite);
                                      for (std::size_t k = 0; k < 2; ++k) {
                                        const Tensor& tensor = bound.input(k);
                                        RowOperand operand{tensor.address(),  size_of(tensor.dtype), tensor.dtype, {0},
                                                           tensor.strides[0], Access::kRead,         false,        0};
                                        if (tensor.empty())
                                          operand.start = result.start;  // an empty tensor may have no memory
                                        call.operands.push_back(operand);
                                      }
                                      call.operands.push_back(result);
                                      return row_kernels(call, execution);
                                    });
}

}  // namespace aclvk::ops
