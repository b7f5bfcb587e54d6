#include "ops/convolution/conv_kernels.hpp"

#include <algorithm>
#include <vector>

#include "ops/convolution/column_parts.hpp"
#include "ops/convolution/columns.hpp"
#include "ops/convolution/depthwise.hpp"
#include "ops/convolution/phase.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/matmul/gemm.hpp"
#include "ops/shape/remap.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

/// Phases of a dim, and their combinations over all dims. Each combination has two kernels at least.
constexpr std::int64_t kMostPhases = 4096;
constexpr std::int64_t kMostCombinations = std::int64_t{1} << 17;

/// So many results of one channel make a product of matrices with enough rows; fewer are summed up one by one.
constexpr std::int64_t kFewestRows = 8;

std::int64_t product_of(const Shape& sizes) { return element_count(sizes); }

Shape spatial(const Tensor& tensor) { return {tensor.shape.begin() + 2, tensor.shape.end()}; }

/// The dims from `dim` on as one.
std::optional<Tensor> flat_view(const Tensor& tensor, std::size_t dim) {
  Shape shape(tensor.shape.begin(), tensor.shape.begin() + dim);
  shape.push_back(product_of({tensor.shape.begin() + dim, tensor.shape.end()}));
  return reshaped(tensor, shape);
}

/// A convolution that is not transposed, or what makes a part of a transposed one.
struct Job {
  WindowRows rows;
  Tensor weight;  ///< row-major: (groups, results of one, channels of one, ...)
  Tensor output;  ///< (N, Cout, ...)
};

/// Makes the kernels of a convolution. Tensors of channels get a dim for the groups before that of the channels.
class Plan {
 public:
  Plan(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging)
      : convolution_(convolution),
        tensors_(tensors),
        staging_(staging),
        groups_(convolution.groups),
        channels_(tensors.input.shape[1] / groups_),
        results_(tensors.output.shape[1] / groups_),
        budget_(column_bytes(convolution.execution)) {}

  Kernels kernels() {
    if (convolution_.transposed) return by_phases();
    WindowRows rows{tensors_.input, convolution_.windows, {}, spatial(tensors_.output)};
    for (const Window& window : rows.windows) rows.first.push_back(-window.before);
    Shape shape{groups_, results_, channels_};
    for (const std::int64_t size : spatial(tensors_.weight)) shape.push_back(size);
    return kernels_of({rows, *reshaped(staging_.read(tensors_.weight), shape), tensors_.output});
  }

 private:
  using Phases = InlineVector<Phase, kMaxSpatialDims>;

  Kernels kernels_of(const Job& job) {
    const Tensor results = grouped(job.output, results_);
    if (channels_ == 1 && results_ < kFewestRows && suits_rows(job.rows, results)) {
      std::optional<Tensor> bias;
      if (tensors_.bias) bias = unflattened(*tensors_.bias, 0, results_);
      return depthwise_kernels(convolution_.name, job.rows, job.weight, bias, results);
    }
    return is_pointwise(job.rows) ? pointwise(job) : by_columns(job);
  }

  // --- transposed: the places of the output that are a step apart see the same places of the window ---

  Kernels by_phases() {
    std::vector<std::vector<Phase>> phases;
    bool has_gaps = false;
    for (std::size_t dim = 0; dim < convolution_.windows.size(); ++dim) {
      const Window& window = convolution_.windows[dim];
      const std::int64_t size = tensors_.output.shape[2 + dim];
      check_phases(std::min(window.step, size), kMostPhases);
      phases.emplace_back();
      for (std::int64_t remainder = 0; remainder < std::min(window.step, size); ++remainder) {
        const Phase phase = phase_of(window, remainder, size);
        if (phase.window.size > 0) phases.back().push_back(phase);
        has_gaps = has_gaps || phase.window.size == 0;
      }
    }
    std::int64_t combinations = 1;  // of three dims at most
    for (const std::vector<Phase>& of_dim : phases) combinations *= static_cast<std::int64_t>(of_dim.size());
    check_phases(combinations, kMostCombinations);
    Kernels kernels;
    if (has_gaps) kernels = bias_alone(tensors_.output);
    append(kernels, kernels_of_phases(phases, {}));
    return kernels;
  }

  void check_phases(std::int64_t phases, std::int64_t most) const {
    check(phases <= most, Code::kFeatureNotSupported,
          "{} would compute {} places beside each other apart; with such a stride at most {} are supported.",
          convolution_.name, phases, most);
  }

  /// For each combination of phases of the dims.
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
      job.output = sliced(job.output, 2 + i, phase.remainder, phase.places, convolution_.windows[i].step);
      job.rows.windows.push_back(phase.window);
      job.rows.first.push_back(phase.first);
      job.rows.places.push_back(phase.places);
    }
    Kernels kernels = turned_weight(phases, job);
    append(kernels, kernels_of(job));
    return kernels;
  }

  /// Where no place of the window reaches.
  Kernels bias_alone(const Tensor& output) const {
    if (!tensors_.bias) return fill_kernels(convolution_.name, output, {});
    Tensor bias = *tensors_.bias;
    for (std::size_t i = 2; i < output.shape.size(); ++i) bias = repeated(bias, bias.shape.size(), 1);
    return copy_kernels(convolution_.name, output, bias);
  }

  /// The places of the window that a phase sees, with rows and columns as they are without transposition.
  Kernels turned_weight(const Phases& phases, Job& job) {
    Shape shape{groups_, results_, channels_};
    Shape order{0, 2, 1};
    DimRules rules(3);
    for (std::size_t i = 0; i < phases.size(); ++i) {
      shape.push_back(phases[i].window.size);
      order.push_back(static_cast<std::int64_t>(3 + i));
      rules.push_back({Rule::kStep, -static_cast<double>(phases[i].period), static_cast<double>(phases[i].last_tap)});
    }
    job.weight = staging_.make(shape, tensors_.weight.dtype);
    const Tensor weight = unflattened(tensors_.weight, 0, channels_);
    return remap_kernels(convolution_.name, permuted(job.weight, order), weight, rules);
  }

  // --- products of matrices ---

  /// (N, groups, channels of one, ...)
  Tensor grouped(const Tensor& tensor, std::int64_t channels) const { return unflattened(tensor, 1, channels); }

  /// The weight of a job as a matrix for each group, with a row for each result.
  Tensor weight_rows(const Job& job) const {
    return *reshaped(job.weight,
                     {groups_, results_, product_of({job.weight.shape.begin() + 2, job.weight.shape.end()})});
  }

  /// The bias for a result of (N, groups, results, places).
  std::optional<Tensor> bias_for(const Tensor& output) const {
    if (!tensors_.bias) return std::nullopt;
    const Tensor column = repeated(unflattened(*tensors_.bias, 0, results_), 2, output.shape[3]);
    return repeated(column, 0, output.shape[0]);
  }

  /// Of rows and columns to `output`, (N, Cout, ...): by way of `buffer` where its places are not walked in one step.
  Kernels product(const Tensor& rows, const Tensor& columns, const Tensor& output, const Tensor& buffer) const {
    const auto flat_output = flat_view(grouped(output, results_), 3);
    const Tensor aside = row_major(output.shape, output.dtype, buffer.address());
    const Tensor out = flat_output ? *flat_output : *flat_view(grouped(aside, results_), 3);
    Kernels kernels = gemm_kernels(
        {convolution_.name, repeated(rows, 0, columns.shape[0]), columns, bias_for(out), out, Gemm::one(), Gemm::one()},
        staging_, convolution_.execution);
    if (!flat_output) append(kernels, copy_kernels(convolution_.name, output, aside));
    return kernels;
  }

  /// Room for so many elements; kernels that follow one another use it again.
  const Tensor& room_for(Tensor& room, std::int64_t elements, DType dtype) {
    if (room.elements() < elements) room = staging_.make({elements}, dtype);
    return room;
  }
  /// For the results of products, of which they have at most so many at a time.
  const Tensor& room_for_results(const Tensor& output, std::int64_t elements) {
    return room_for(result_room_, flat_view(output, 2) ? 0 : elements, output.dtype);
  }

  /// Windows of one element that stay within the image: the image is the matrix, as it lies.
  static bool is_pointwise(const WindowRows& rows) {
    for (std::size_t i = 0; i < rows.windows.size(); ++i) {
      const std::int64_t last = rows.first[i] + (rows.places[i] - 1) * rows.windows[i].step;
      if (rows.windows[i].size != 1 || rows.first[i] < 0 || last >= rows.images.shape[2 + i]) return false;
    }
    return true;
  }

  Kernels pointwise(const Job& job) {
    Tensor input = job.rows.images;
    for (std::size_t i = 0; i < job.rows.windows.size(); ++i) {
      input = sliced(input, 2 + i, job.rows.first[i], job.rows.places[i], job.rows.windows[i].step);
    }
    Kernels kernels;
    if (!flat_view(input, 2)) {
      const Tensor copy = staging_.make(input.shape, input.dtype);
      kernels = copy_kernels(convolution_.name, copy, input);
      input = copy;
    }
    const Tensor columns = *flat_view(grouped(input, channels_), 3);
    append(kernels,
           product(weight_rows(job), columns, job.output, room_for_results(job.output, job.output.elements())));
    return kernels;
  }

  // --- columns: each place of the window becomes one, some of them at a time ---

  Kernels by_columns(const Job& job) {
    const Tensor weight = weight_rows(job);
    const DType dtype = job.rows.images.dtype;
    const std::int64_t depth = weight.shape[2];
    Shape sizes{job.output.shape[0]};
    for (const std::int64_t size : job.rows.places) sizes.push_back(size);
    const std::int64_t place_bytes = groups_ * depth * static_cast<std::int64_t>(size_of(dtype));
    const Shape counts = counts_of_part(sizes, std::max<std::int64_t>(budget_ / place_bytes, 1));
    const Tensor columns = room_for(column_room_, groups_ * depth * product_of(counts), dtype);
    const Tensor results = room_for_results(job.output, groups_ * results_ * product_of(counts));
    Kernels kernels;
    visit_parts(sizes, counts, {}, [&](const ColumnPart& part) {
      const WindowRows rows = part_of(job.rows, part);
      Tensor output = sliced(job.output, 0, part.starts[0], part.counts[0]);
      for (std::size_t i = 1; i < sizes.size(); ++i) output = sliced(output, 1 + i, part.starts[i], part.counts[i]);
      const Tensor matrix =
          row_major({part.counts[0], groups_, depth, product_of(rows.places)}, dtype, columns.address());
      append(kernels, column_kernels(convolution_.name, rows, matrix));
      append(kernels, product(weight, matrix, output, results));
    });
    return kernels;
  }

  static WindowRows part_of(const WindowRows& all, const ColumnPart& part) {
    WindowRows rows = all;
    rows.images = sliced(all.images, 0, part.starts[0], part.counts[0]);
    rows.places = Shape(part.counts.begin() + 1, part.counts.end());
    for (std::size_t i = 0; i < rows.windows.size(); ++i) rows.first[i] += part.starts[1 + i] * rows.windows[i].step;
    return rows;
  }

  const Convolution& convolution_;
  const ConvolutionTensors& tensors_;
  Staging& staging_;
  const std::int64_t groups_;
  const std::int64_t channels_;  ///< of a group
  const std::int64_t results_;   ///< the same of the output
  const std::int64_t budget_;
  Tensor column_room_ = row_major({0}, DType::kFloat, nullptr);
  Tensor result_room_ = row_major({0}, DType::kFloat, nullptr);
};

}  // namespace

Kernels convolution_kernels(const Convolution& convolution, const ConvolutionTensors& tensors, Staging& staging) {
  // One kernel that does nothing, as for every operator without anything to do.
  if (tensors.output.empty()) return copy_kernels(convolution.name, tensors.output, tensors.output);
  return Plan(convolution, tensors, staging).kernels();
}

}  // namespace aclvk::ops
