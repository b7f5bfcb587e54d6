#include "ops/convolution/weight_gradient.hpp"

#include <algorithm>

#include "ops/convolution/column_parts.hpp"
#include "ops/convolution/columns.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/matmul/gemm.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

/// Adds up products of matrices: a row for each result, a column for each place of the window and each channel. Images
/// follow each other in their depth, which is cut into parts.
class Plan {
 public:
  Plan(const Convolution& convolution, const WeightGradientTensors& tensors, Staging& staging)
      : convolution_(convolution), tensors_(tensors), staging_(staging), groups_(convolution.groups) {
    results_ = tensors.values.shape[1] / groups_;
    const Shape& out = tensors.out.shape;
    depth_ = element_count({out.begin() + 1, out.end()});
    sizes_ = tensors.values.shape;
    sizes_ = without(sizes_, 1);
    const Tensor values = staging.read(swapped(tensors.values));
    values_ = *reshaped(values, {groups_, results_, element_count(sizes_)});
  }

  Kernels kernels() {
    const DType dtype = tensors_.images.dtype;
    const std::int64_t place_bytes = groups_ * depth_ * static_cast<std::int64_t>(size_of(dtype));
    const std::int64_t most = std::max<std::int64_t>(column_bytes(convolution_.execution) / place_bytes, 1);
    Shape counts = counts_of_part(sizes_, most);
    if (!joins_images()) counts[0] = 1;
    const Tensor columns = staging_.make({groups_ * depth_ * element_count(counts)}, dtype);
    const Tensor sums = place_for_sums(counts == sizes_);
    Kernels kernels;
    visit_parts(sizes_, counts, {}, [&](const ColumnPart& part) {
      const Tensor matrix = row_major({groups_, depth_, element_count(part.counts)}, dtype, columns.address());
      append(kernels, column_kernels(convolution_.name, rows_of(part), matrix));
      append(kernels, product(part, matrix, sums, parts_++ > 0));
    });
    if (sums.address() != tensors_.out.address()) {
      append(kernels, copy_kernels(convolution_.name, tensors_.out, *reshaped(sums, tensors_.out.shape)));
    }
    return kernels;
  }

 private:
  /// The batch counts as a further dim over which a window of one element moves, where there is room for one.
  bool joins_images() const { return convolution_.windows.size() < kMaxSpatialDims; }

  /// (C, N, ...)
  static Tensor swapped(const Tensor& tensor) {
    Tensor view = tensor;
    std::swap(view.shape[0], view.shape[1]);
    std::swap(view.strides[0], view.strides[1]);
    return view;
  }

  WindowRows rows_of(const ColumnPart& part) const {
    const Tensor images = sliced(tensors_.images, 0, part.starts[0], part.counts[0]);
    WindowRows rows{images, {}, {}, {}};
    if (joins_images()) {
      rows.images = repeated(swapped(images), 0, 1);
      rows.windows.push_back({});
      rows.first.push_back(0);
      rows.places.push_back(part.counts[0]);
    }
    for (std::size_t i = 0; i < convolution_.windows.size(); ++i) {
      const Window& window = convolution_.windows[i];
      rows.windows.push_back(window);
      rows.first.push_back(part.starts[1 + i] * window.step - window.before);
      rows.places.push_back(part.counts[1 + i]);
    }
    return rows;
  }

  /// Where sums are made, as matrices: in the result, or, if they would be rounded on the way, in floats.
  Tensor place_for_sums(bool at_once) {
    const Shape shape{groups_, results_, depth_};
    const auto out = reshaped(tensors_.out, shape);
    const bool exact = at_once || tensors_.out.dtype == DType::kFloat;
    if (out && exact) return *out;
    return staging_.make(shape, at_once ? tensors_.out.dtype : DType::kFloat);
  }

  Kernels product(const ColumnPart& part, const Tensor& columns, const Tensor& sums, bool adds) {
    std::int64_t start = 0;  // parts are neighbours in row-major order
    for (std::size_t i = 0; i < sizes_.size(); ++i) start = start * sizes_[i] + part.starts[i];
    const Tensor values = sliced(values_, 2, start, columns.shape[2]);
    std::optional<Tensor> before;
    if (adds) before = sums;
    return gemm_kernels(
        {convolution_.name, values, permuted(columns, {0, 2, 1}), before, sums, Gemm::one(), Gemm::one()}, staging_,
        convolution_.execution);
  }

  const Convolution& convolution_;
  const WeightGradientTensors& tensors_;
  Staging& staging_;
  const std::int64_t groups_;
  std::int64_t results_ = 0;  ///< of a group
  std::int64_t depth_ = 0;    ///< channels of a group, times places of the window
  Shape sizes_;               ///< images, and places along each spatial dim
  Tensor values_;             ///< (groups, results, all places of all images)
  int parts_ = 0;
};

}  // namespace

Kernels weight_gradient_kernels(const Convolution& convolution, const WeightGradientTensors& tensors,
                                Staging& staging) {
  if (tensors.values.empty()) return fill_kernels(convolution.name, tensors.out, {});
  return Plan(convolution, tensors, staging).kernels();
}

}  // namespace aclvk::ops
