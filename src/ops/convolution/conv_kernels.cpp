#include "ops/convolution/conv_kernels.hpp"

#include <algorithm>
#include <vector>

#include "ops/convolution/depthwise.hpp"
#include "ops/convolution/im2col.hpp"
#include "ops/convolution/im2col_chunks.hpp"
#include "ops/convolution/phase.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/shape/remap.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Limits on the phases of a dim and on their combinations, each of which takes at least two kernels.
constexpr std::int64_t kMaxPhases = 4096;
constexpr std::int64_t kMaxCombinations = std::int64_t{1} << 17;

/// From this number of output channels of one input channel on a GEMM, whose matrix has a row for each, is faster than
/// sums over windows.
constexpr std::int64_t kMinRows = 8;

std::int64_t product_of(const Shape& sizes) { return element_count(sizes); }

Shape spatial(const Tensor& tensor) { return {tensor.shape.begin() + 2, tensor.shape.end()}; }

/// Returns a view with the dims from `dim` on merged; nothing if strides do not allow one.
std::optional<Tensor> flat_view(const Tensor& tensor, std::size_t dim) {
  Shape shape(tensor.shape.begin(), tensor.shape.begin() + dim);
  shape.push_back(product_of({tensor.shape.begin() + dim, tensor.shape.end()}));
  return reshaped(tensor, shape);
}

/// A convolution that is not transposed, or one phase of a transposed one.
struct Job {
  WindowRows rows;
  Tensor weight;  ///< row-major: (groups, output channels of a group, channels of a group, ...)
  Tensor output;  ///< (N, Cout, ...)
};

/// Records the kernels of a convolution. Grouped tensors have a dim of groups in front of their channels.
class ConvolutionKernels {
 public:
  ConvolutionKernels(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging)
      : convolution_(convolution),
        tensors_(tensors),
        staging_(staging),
        groups_(convolution.groups),
        in_channels_(tensors.input.shape[1] / groups_),
        out_channels_(tensors.output.shape[1] / groups_),
        budget_(im2col_bytes(convolution.execution)) {}

  Kernels kernels() {
    if (convolution_.transposed) return by_phases();
    WindowRows rows{tensors_.input, convolution_.windows, {}, spatial(tensors_.output)};
    for (const Window& window : rows.windows) rows.first.push_back(-window.before);
    Shape shape{groups_, out_channels_, in_channels_};
    for (const std::int64_t size : spatial(tensors_.weight)) shape.push_back(size);
    return kernels_of({rows, *reshaped(staging_.read(tensors_.weight), shape), tensors_.output});
  }

 private:
  using Phases = InlineVector<Phase, kMaxSpatialDims>;

  Kernels kernels_of(const Job& job) {
    const Tensor results = grouped(job.output, out_channels_);
    if (in_channels_ == 1 && out_channels_ < kMinRows && suits_rows(job.rows, results)) {
      std::optional<Tensor> bias;
      if (tensors_.bias) bias = unflattened(*tensors_.bias, 0, out_channels_);
      return depthwise_kernels(convolution_.name, job.rows, job.weight, bias, results);
    }
    return is_pointwise(job.rows) ? pointwise(job) : by_im2col(job);
  }

  // --- transposed: output positions that are a stride apart see the same taps, and are one convolution (a phase) ---

  Kernels by_phases() {
    std::vector<std::vector<Phase>> phases;
    bool has_gaps = false;
    for (std::size_t dim = 0; dim < convolution_.windows.size(); ++dim) {
      const Window& window = convolution_.windows[dim];
      const std::int64_t size = tensors_.output.shape[2 + dim];
      check_phases(std::min(window.step, size), kMaxPhases);
      phases.emplace_back();
      for (std::int64_t remainder = 0; remainder < std::min(window.step, size); ++remainder) {
        const Phase phase = phase_of(window, remainder, size);
        if (phase.window.size > 0) phases.back().push_back(phase);
        has_gaps = has_gaps || phase.window.size == 0;
      }
    }
    std::int64_t combinations = 1;  // no overflow: at most three dims
    for (const std::vector<Phase>& of_dim : phases) combinations *= static_cast<std::int64_t>(of_dim.size());
    check_phases(combinations, kMaxCombinations);
    Kernels kernels;
    // Comes first: the phases overwrite all positions but those in the gaps.
    if (has_gaps) kernels = bias_alone(tensors_.output);
    append(kernels, kernels_of_phases(phases, {}));
    return kernels;
  }

  void check_phases(std::int64_t phases, std::int64_t most) const {
    check(phases <= most, Code::kFeatureNotSupported,
          "{} would be {} convolutions, one for each phase of the stride; at most {} are supported.", convolution_.name,
          phases, most);
  }

  /// Records all combinations of phases.
  Kernels kernels_of_phases(const std::vector<std::vector<Phase>>& all, const Phases& chosen) {
    if (chosen.size() == all.size()) return kernels_of_phase(chosen);
    Kernels kernels;
    for (const Phase& phase : all[chosen.size()]) {
      Phases more = chosen;
      more.push_back(phase);
      append(kernels, kernels_of_phases(all, more));
    }
    return kernels;
  }

  Kernels kernels_of_phase(const Phases& phases) {
    Job job{{tensors_.input, {}, {}, {}}, {}, tensors_.output};
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const Phase& phase = phases[i];
      job.output = sliced(job.output, 2 + i, phase.remainder, phase.positions, convolution_.windows[i].step);
      job.rows.windows.push_back(phase.window);
      job.rows.first.push_back(phase.first);
      job.rows.positions.push_back(phase.positions);
    }
    Kernels kernels = phase_weight(phases, job);
    append(kernels, kernels_of(job));
    return kernels;
  }

  /// Writes the bias alone, for output positions that no tap reaches.
  Kernels bias_alone(const Tensor& output) const {
    if (!tensors_.bias) return fill_kernels(convolution_.name, output, {});
    Tensor bias = *tensors_.bias;
    for (std::size_t i = 2; i < output.shape.size(); ++i) bias = repeated(bias, bias.shape.size(), 1);
    return copy_kernels(convolution_.name, output, bias);
  }

  /// Copies the taps of a phase, with channels in the order of a convolution that is not transposed.
  Kernels phase_weight(const Phases& phases, Job& job) {
    Shape shape{groups_, out_channels_, in_channels_};
    Shape order{0, 2, 1};
    DimRules rules(3);
    for (std::size_t i = 0; i < phases.size(); ++i) {
      shape.push_back(phases[i].window.size);
      order.push_back(static_cast<std::int64_t>(3 + i));
      // A transposed convolution moves away from a tap where a plain one moves towards it, so the taps are read
      // backwards.
      rules.push_back({Rule::kStep, -static_cast<double>(phases[i].period), static_cast<double>(phases[i].last_tap)});
    }
    job.weight = staging_.make(shape, tensors_.weight.dtype);
    const Tensor weight = unflattened(tensors_.weight, 0, in_channels_);
    return remap_kernels(convolution_.name, permuted(job.weight, order), weight, rules);
  }

  // --- implicit matrices: GEMMs of weights and columns ---

  /// Returns a view (N, groups, channels of a group, ...).
  Tensor grouped(const Tensor& tensor, std::int64_t channels) const { return unflattened(tensor, 1, channels); }

  /// Returns the weight as a matrix for each group, with a row for each output channel.
  Tensor weight_rows(const Job& job) const {
    return *reshaped(job.weight,
                     {groups_, out_channels_, product_of({job.weight.shape.begin() + 2, job.weight.shape.end()})});
  }

  /// Returns the bias, broadcast to (N, groups, output channels, positions).
  std::optional<Tensor> bias_for(const Tensor& output) const {
    if (!tensors_.bias) return std::nullopt;
    const Tensor column = repeated(unflattened(*tensors_.bias, 0, out_channels_), 2, output.shape[3]);
    return repeated(column, 0, output.shape[0]);
  }

  /// Multiplies weights and columns into `output`, (N, Cout, ...); by way of `buffer` if the positions have no single
  /// stride.
  Kernels product(const Tensor& rows, const Tensor& columns, const Tensor& output, const Tensor& buffer) const {
    const auto flat_output = flat_view(grouped(output, out_channels_), 3);
    // Without a single stride the product goes to `buffer` first.
    const Tensor buffered = row_major(output.shape, output.dtype, buffer.address());
    const Tensor out = flat_output ? *flat_output : *flat_view(grouped(buffered, out_channels_), 3);
    Kernels kernels = gemm_kernels(
        {convolution_.name, repeated(rows, 0, columns.shape[0]), columns, bias_for(out), out, Gemm::one(), Gemm::one()},
        staging_, convolution_.execution);
    if (!flat_output) append(kernels, copy_kernels(convolution_.name, output, buffered));
    return kernels;
  }

  /// Returns a buffer of at least so many elements. Kernels run in order, so that all chunks share it.
  const Tensor& buffer_for(Tensor& buffer, std::int64_t elements, DType dtype) {
    if (buffer.elements() < elements) buffer = staging_.make({elements}, dtype);
    return buffer;
  }
  /// Returns the buffer for a product whose output has no single stride.
  const Tensor& buffer_for_results(const Tensor& output, std::int64_t elements) {
    return buffer_for(result_buffer_, flat_view(output, 2) ? 0 : elements, output.dtype);
  }

  /// Returns whether windows are single elements within the image: then the image itself is the matrix (1x1
  /// convolution).
  static bool is_pointwise(const WindowRows& rows) {
    for (std::size_t i = 0; i < rows.windows.size(); ++i) {
      const std::int64_t last = rows.first[i] + (rows.positions[i] - 1) * rows.windows[i].step;
      if (rows.windows[i].size != 1 || rows.first[i] < 0 || last >= rows.images.shape[2 + i]) return false;
    }
    return true;
  }

  Kernels pointwise(const Job& job) {
    Tensor input = job.rows.images;
    for (std::size_t i = 0; i < job.rows.windows.size(); ++i) {
      input = sliced(input, 2 + i, job.rows.first[i], job.rows.positions[i], job.rows.windows[i].step);
    }
    Kernels kernels;
    if (!flat_view(input, 2)) {
      const Tensor copy = staging_.make(input.shape, input.dtype);
      kernels = copy_kernels(convolution_.name, copy, input);
      input = copy;
    }
    const Tensor columns = *flat_view(grouped(input, in_channels_), 3);
    append(kernels,
           product(weight_rows(job), columns, job.output, buffer_for_results(job.output, job.output.elements())));
    return kernels;
  }

  // --- im2col: the taps of each output position become a column, some positions at a time ---

  Kernels by_im2col(const Job& job) {
    const Tensor weight = weight_rows(job);
    const DType dtype = job.rows.images.dtype;
    const std::int64_t patch_size = weight.shape[2];
    Shape sizes{job.output.shape[0]};
    for (const std::int64_t size : job.rows.positions) sizes.push_back(size);
    const std::int64_t patch_bytes = groups_ * patch_size * static_cast<std::int64_t>(size_of(dtype));
    // The columns of all positions would need a multiple of the image's memory: one element for each tap.
    const Shape counts = counts_of_chunk(sizes, std::max<std::int64_t>(budget_ / patch_bytes, 1));
    const Tensor columns = buffer_for(im2col_buffer_, groups_ * patch_size * product_of(counts), dtype);
    const Tensor results = buffer_for_results(job.output, groups_ * out_channels_ * product_of(counts));
    Kernels kernels;
    visit_chunks(sizes, counts, {}, [&](const Im2colChunk& chunk) {
      const WindowRows rows = rows_of_chunk(job.rows, chunk);
      Tensor output = sliced(job.output, 0, chunk.starts[0], chunk.counts[0]);
      for (std::size_t i = 1; i < sizes.size(); ++i) output = sliced(output, 1 + i, chunk.starts[i], chunk.counts[i]);
      const Tensor matrix =
          row_major({chunk.counts[0], groups_, patch_size, product_of(rows.positions)}, dtype, columns.address());
      append(kernels, im2col_kernels(convolution_.name, rows, matrix));
      append(kernels, product(weight, matrix, output, results));
    });
    return kernels;
  }

  static WindowRows rows_of_chunk(const WindowRows& all, const Im2colChunk& chunk) {
    WindowRows rows = all;
    rows.images = sliced(all.images, 0, chunk.starts[0], chunk.counts[0]);
    rows.positions = Shape(chunk.counts.begin() + 1, chunk.counts.end());
    for (std::size_t i = 0; i < rows.windows.size(); ++i) rows.first[i] += chunk.starts[1 + i] * rows.windows[i].step;
    return rows;
  }

  const Convolution& convolution_;
  const ConvolutionTensors& tensors_;
  Staging& staging_;
  const std::int64_t groups_;
  const std::int64_t in_channels_;   ///< input channels of a group
  const std::int64_t out_channels_;  ///< output channels of a group
  const std::int64_t budget_;
  Tensor im2col_buffer_ = row_major({0}, DType::kFloat, nullptr);
  Tensor result_buffer_ = row_major({0}, DType::kFloat, nullptr);
};

}  // namespace

Kernels convolution_kernels(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging) {
  // A launch without work still needs a kernel.
  if (tensors.output.empty()) return copy_kernels(convolution.name, tensors.output, tensors.output);
  return ConvolutionKernels(convolution, tensors, staging).kernels();
}

}  // namespace aclvk::ops
