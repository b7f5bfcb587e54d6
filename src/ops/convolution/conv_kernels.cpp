#include "ops/convolution/conv_kernels.hpp"

#include <algorithm>

#include "ops/convolution/columns.hpp"
#include "ops/convolution/depthwise.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/matmul/gemm.hpp"
#include "ops/shape/view.hpp"
#include "ops/shape/window_call.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::string_view kWindowSum = "convolution/window_sum_f32";

/// Workspace for columns: what stays in a CPU's cache until the product reads it, and enough for a GPU to be busy.
constexpr std::int64_t kColumnBytesOfCpu = std::int64_t{4} << 20;
constexpr std::int64_t kColumnBytes = std::int64_t{64} << 20;

/// Up to so many results for a channel are summed up one by one; more are a product of matrices with enough rows.
constexpr std::int64_t kMostResultsOfChannel = 8;

std::int64_t product_of(const Shape& sizes) { return element_count(sizes); }

Shape spatial(const Tensor& tensor) { return {tensor.shape.begin() + 2, tensor.shape.end()}; }

/// The dims from `dim` on as one.
std::optional<Tensor> flat_view(const Tensor& tensor, std::size_t dim) {
  Shape shape(tensor.shape.begin(), tensor.shape.begin() + dim);
  shape.push_back(product_of({tensor.shape.begin() + dim, tensor.shape.end()}));
  return reshaped(tensor, shape);
}
Tensor flat(const Tensor& tensor, std::size_t dim, Staging& staging) {
  const auto view = flat_view(tensor, dim);
  return view ? *view : *flat_view(staging.read(tensor), dim);
}

/// Makes the kernels of a convolution. Tensors of channels have a dim for the groups before that of the channels.
class Plan {
 public:
  Plan(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging)
      : convolution_(convolution),
        tensors_(tensors),
        staging_(staging),
        batch_(tensors.input.shape[0]),
        groups_(convolution.groups),
        channels_(tensors.input.shape[1] / groups_),
        results_(tensors.output.shape[1] / groups_),
        taps_(product_of(spatial(tensors.weight))),
        budget_(convolution.execution.takes_turns ? kColumnBytesOfCpu : kColumnBytes) {}

  Kernels kernels() {
    if (channels_ == 1 && results_ < kMostResultsOfChannel) return window_sums();
    if (!flat_view(tensors_.output, 2)) output_ = staging_.write(tensors_.output);
    if (is_pointwise()) return pointwise();
    return convolution_.transposed ? by_overlaps() : by_columns();
  }

 private:
  bool is_pointwise() const {
    const auto& windows = convolution_.windows;
    return std::all_of(windows.begin(), windows.end(), [&](const Window& window) {
      const bool plain = window.size == 1 && window.before == 0;
      return plain && (!convolution_.transposed || (window.step == 1 && window.after == 0));
    });
  }

  /// (N, groups, channels of one, ...)
  Tensor grouped(const Tensor& tensor, std::int64_t channels) const { return unfolded(tensor, 1, channels); }

  /// The weight as a matrix for each group, with a row for each result.
  Tensor weight_rows() {
    const Tensor weight = staging_.read(tensors_.weight);
    if (!convolution_.transposed) return *reshaped(weight, {groups_, results_, channels_ * taps_});
    return permuted(*reshaped(weight, {groups_, channels_, results_ * taps_}), {0, 2, 1});
  }

  /// The bias for a result of (N, groups, results, places).
  std::optional<Tensor> bias_for(const Tensor& output) const {
    if (!tensors_.bias) return std::nullopt;
    const Tensor column = repeated(unfolded(*tensors_.bias, 0, results_), 2, output.shape[3]);
    return repeated(column, 0, output.shape[0]);
  }

  Kernels product(const Tensor& rows, const Tensor& columns, std::optional<Tensor> summand, const Tensor& out) const {
    return gemm_kernels({convolution_.name, repeated(rows, 0, columns.shape[0]), columns, std::move(summand), out,
                         Gemm::one(), Gemm::one()},
                        convolution_.execution);
  }

  /// A window of one element: the image is the matrix, as it lies.
  Kernels pointwise() {
    Tensor input = tensors_.input;
    for (std::size_t i = 0; i < convolution_.windows.size(); ++i) {
      input = sliced(input, 2 + i, 0, output_.shape[2 + i], convolution_.windows[i].step);
    }
    const Tensor output = *flat_view(grouped(output_, results_), 3);
    return product(weight_rows(), flat(grouped(input, channels_), 3, staging_), bias_for(output), output);
  }

  // --- columns: each place of the window becomes one, some of them at a time ---

  /// What is made at a time: some images, or some places of one.
  struct Part {
    Shape starts;
    Shape counts;  ///< images, and places along each spatial dim
  };

  /// Counts of parts with at most so many places: dims before one are cut into single places, those behind it stay
  /// whole.
  static Shape counts_of_part(const Shape& sizes, std::int64_t most) {
    Shape counts = sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      const std::int64_t behind = product_of({sizes.begin() + dim + 1, sizes.end()});
      counts[dim] = std::clamp<std::int64_t>(most / behind, 1, sizes[dim]);
      if (most >= behind) break;
    }
    return counts;
  }

  template <typename Visit>
  static void visit_parts(const Shape& sizes, const Shape& counts, Part part, Visit&& visit) {
    const std::size_t dim = part.starts.size();
    if (dim == sizes.size()) return visit(part);
    for (std::int64_t start = 0; start < sizes[dim]; start += counts[dim]) {
      Part next = part;
      next.starts.push_back(start);
      next.counts.push_back(std::min(counts[dim], sizes[dim] - start));
      visit_parts(sizes, counts, std::move(next), visit);
    }
  }

  /// Images, and places along each spatial dim.
  Shape sizes_of_output() const {
    Shape sizes{batch_};
    for (const std::int64_t size : spatial(tensors_.output)) sizes.push_back(size);
    return sizes;
  }

  Kernels by_columns() {
    const Tensor rows = weight_rows();
    const Shape sizes = sizes_of_output();
    const DType dtype = tensors_.input.dtype;
    const std::int64_t place_bytes = groups_ * channels_ * taps_ * static_cast<std::int64_t>(size_of(dtype));
    const Shape counts = counts_of_part(sizes, std::max<std::int64_t>(budget_ / place_bytes, 1));
    const Tensor buffer = staging_.make({groups_ * channels_ * taps_ * product_of(counts)}, dtype);
    Kernels kernels;
    visit_parts(sizes, counts, {}, [&](const Part& part) {
      Tensor output = sliced(output_, 0, part.starts[0], part.counts[0]);
      for (std::size_t i = 1; i < sizes.size(); ++i) output = sliced(output, 1 + i, part.starts[i], part.counts[i]);
      output = *flat_view(grouped(output, results_), 3);
      const Shape shape{part.counts[0], groups_, channels_ * taps_, output.shape[3]};
      const Tensor columns = row_major(shape, dtype, buffer.address());
      append(kernels, column_kernels(convolution_.name, rows_of(part), columns));
      append(kernels, product(rows, columns, bias_for(output), output));
    });
    return kernels;
  }

  /// The rows of some images that windows see at some of their places.
  WindowRows rows_of(const Part& part) const {
    WindowRows rows{sliced(tensors_.input, 0, part.starts[0], part.counts[0]), convolution_.windows, {}, {}};
    rows.places.append(part.counts.begin() + 1, part.counts.end());
    for (std::size_t i = 0; i < rows.windows.size(); ++i) {
      rows.first.push_back(part.starts[1 + i] * rows.windows[i].step - rows.windows[i].before);
    }
    return rows;
  }

  // --- transposed: a product makes columns, each place of the output is the sum of those that overlap there ---

  Kernels by_overlaps() {
    const Tensor input = flat(grouped(tensors_.input, channels_), 3, staging_);
    const Tensor rows = weight_rows();
    const std::int64_t places = input.shape[3];
    const std::int64_t result_bytes = groups_ * taps_ * places * static_cast<std::int64_t>(sizeof(float));
    const Shape sizes{batch_, results_};
    const Shape counts = counts_of_part(sizes, std::max<std::int64_t>(budget_ / result_bytes, 1));
    const Tensor buffer = staging_.make({groups_ * taps_ * places * product_of(counts)}, DType::kFloat);
    Kernels kernels;
    visit_parts(sizes, counts, {}, [&](const Part& part) {
      const std::int64_t images = part.counts[0];
      const std::int64_t results = part.counts[1];
      const Tensor columns = row_major({images, groups_, results * taps_, places}, DType::kFloat, buffer.address());
      append(kernels, product(sliced(rows, 1, part.starts[1] * taps_, results * taps_),
                              sliced(input, 0, part.starts[0], images), std::nullopt, columns));
      const Tensor output =
          sliced(sliced(grouped(output_, results_), 0, part.starts[0], images), 2, part.starts[1], results);
      std::optional<Tensor> bias;
      if (tensors_.bias) bias = sliced(unfolded(*tensors_.bias, 0, results_), 1, part.starts[1], results);
      append(kernels, overlap_kernels(columns, bias, output));
    });
    return kernels;
  }

  Kernels overlap_kernels(const Tensor& columns, const std::optional<Tensor>& bias, const Tensor& output) const {
    Shape shape{columns.shape[0], columns.shape[1], output.shape[2], taps_};
    for (const std::int64_t size : spatial(tensors_.input)) shape.push_back(size);
    const Tensor first = selected(*reshaped(columns, shape), 3);
    WindowWalk walk = walk_of_output();
    walk.tap_step = columns.shape[3];
    return sum_kernels(walk, first, nullptr, bias, output);
  }

  /// The windows that each place of the output sees: of a transposed convolution the elements of the input are a step
  /// apart, and the window lies the other way round.
  WindowWalk walk_of_output() const {
    WindowWalk walk;
    walk.windows = convolution_.windows;
    if (!convolution_.transposed) return walk;
    walk.placement = Placement::kSpread;
    for (Window& window : walk.windows) {
      walk.spread.push_back(window.step);
      window = {window.size, 1, -window.before, 0, -window.dilation};
    }
    return walk;
  }

  // --- a channel at a time ---

  Kernels window_sums() {
    const Tensor weight = staging_.read(tensors_.weight);
    const Tensor output = grouped(tensors_.output, results_);
    std::optional<Tensor> bias;
    if (tensors_.bias) bias = unfolded(*tensors_.bias, 0, results_);
    if (!convolution_.transposed && suits_rows(output)) {
      const Part whole{Shape(1 + convolution_.windows.size(), 0), sizes_of_output()};
      return depthwise_kernels(convolution_.name, rows_of(whole), weight, bias, output);
    }
    return sum_kernels(walk_of_output(), repeated(tensors_.input, 2, results_), &weight, bias, output);
  }

  /// Of (N, groups, results, ...); `bias` is (groups, results).
  Kernels sum_kernels(const WindowWalk& walk, const Tensor& x, const Tensor* weight, const std::optional<Tensor>& bias,
                      const Tensor& output) const {
    WindowCall windows(convolution_.name, kWindowSum, walk, DType::kFloat, x, output);
    StridedCall& sum = windows.call;
    sum.constants.push_back(static_cast<std::uint32_t>(weight != nullptr));
    sum.constants.push_back(static_cast<std::uint32_t>(walk.placement == Placement::kMoving && is_along_image(output)));
    sum.constants.push_back(static_cast<std::uint32_t>(bias.has_value()));
    Shape weights(output.shape.size(), 0);
    weights[1] = results_ * taps_;
    weights[2] = taps_;
    Tensor column = bias.value_or(output);
    for (std::size_t i = 0; bias && i < walk.windows.size(); ++i) column = repeated(column, column.shape.size(), 1);
    if (weight) sum.operands.push_back({weight, Access::kRead, false, &weights});
    if (!weight) sum.operands.push_back({&output, Access::kRead, true, &weights});
    sum.operands.push_back({&column, Access::kRead, !bias});
    sum.operands.push_back({&output, Access::kWrite});
    return strided_kernels(sum);
  }

  /// Whether neighbours in memory belong to one channel: threads walk along them.
  static bool is_along_image(const Tensor& output) {
    std::size_t nearest = 0;
    for (std::size_t dim = 0; dim < output.shape.size(); ++dim) {
      const bool nearer = output.shape[nearest] == 1 || output.strides[dim] < output.strides[nearest];
      if (output.shape[dim] > 1 && nearer) nearest = dim;
    }
    return nearest > 2;
  }

  const Convolution& convolution_;
  const ConvolutionTensors& tensors_;
  Staging& staging_;
  Tensor output_ = tensors_.output;  ///< or what stands in for it
  const std::int64_t batch_;
  const std::int64_t groups_;
  const std::int64_t channels_;  ///< of a group
  const std::int64_t results_;   ///< the same of the output
  const std::int64_t taps_;      ///< places of the window
  const std::int64_t budget_;
};

}  // namespace

Kernels convolution_kernels(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging) {
  // One kernel that does nothing, as for every operator without anything to do.
  if (tensors.output.empty()) return copy_kernels(convolution.name, tensors.output, tensors.output);
  return Plan(convolution, tensors, staging).kernels();
}

}  // namespace aclvk::ops
