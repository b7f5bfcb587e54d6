#include "ops/convolution/weight_gradient.hpp"

#include <algorithm>

#include "ops/convolution/im2col.hpp"
#include "ops/convolution/im2col_chunks.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Records the products of the output's gradient and im2col columns: a row for each output channel, a column for each
/// channel and tap. K runs over the positions of all images and is divided into chunks, whose products accumulate.
class WeightGradientKernels {
 public:
  WeightGradientKernels(const Convolution& convolution, const WeightGradientTensors& tensors, Staging& staging)
      : convolution_(convolution), tensors_(tensors), staging_(staging), groups_(convolution.groups) {
    out_channels_ = tensors.values.shape[1] / groups_;
    const Shape& out = tensors.out.shape;
    patch_size_ = element_count({out.begin() + 1, out.end()});
    sizes_ = tensors.values.shape;
    sizes_ = without(sizes_, 1);
    const Tensor values = staging.read(swapped(tensors.values));
    values_ = *reshaped(values, {groups_, out_channels_, element_count(sizes_)});
  }

  Kernels kernels() {
    const DType dtype = tensors_.images.dtype;
    const std::int64_t patch_bytes = groups_ * patch_size_ * static_cast<std::int64_t>(size_of(dtype));
    const std::int64_t most = std::max<std::int64_t>(im2col_bytes(convolution_.execution) / patch_bytes, 1);
    Shape counts = counts_of_chunk(sizes_, most);
    // Then each image is a chunk of its own at least.
    if (!joins_images()) counts[0] = 1;
    const Tensor columns = staging_.make({groups_ * patch_size_ * element_count(counts)}, dtype);
    const Tensor sums = buffer_for_sums(counts == sizes_);
    Kernels kernels;
    visit_chunks(sizes_, counts, {}, [&](const Im2colChunk& chunk) {
      const Tensor matrix = row_major({groups_, patch_size_, element_count(chunk.counts)}, dtype, columns.address());
      append(kernels, im2col_kernels(convolution_.name, rows_of(chunk), matrix));
      append(kernels, product(chunk, matrix, sums, chunks_++ > 0));
    });
    if (sums.address() != tensors_.out.address()) {
      append(kernels, copy_kernels(convolution_.name, tensors_.out, *reshaped(sums, tensors_.out.shape)));
    }
    return kernels;
  }

 private:
  /// Returns whether the batch becomes a further spatial dim with a window of one element, which puts several images
  /// into one product. Shaders have three spatial dims at most.
  bool joins_images() const { return convolution_.windows.size() < kMaxSpatialDims; }

  /// Returns a view (C, N, ...).
  static Tensor swapped(const Tensor& tensor) {
    Tensor view = tensor;
    std::swap(view.shape[0], view.shape[1]);
    std::swap(view.strides[0], view.strides[1]);
    return view;
  }

  WindowRows rows_of(const Im2colChunk& chunk) const {
    const Tensor images = sliced(tensors_.images, 0, chunk.starts[0], chunk.counts[0]);
    WindowRows rows{images, {}, {}, {}};
    if (joins_images()) {
      rows.images = repeated(swapped(images), 0, 1);
      rows.windows.push_back({});
      rows.first.push_back(0);
      rows.positions.push_back(chunk.counts[0]);
    }
    for (std::size_t i = 0; i < convolution_.windows.size(); ++i) {
      const Window& window = convolution_.windows[i];
      rows.windows.push_back(window);
      rows.first.push_back(chunk.starts[1 + i] * window.step - window.before);
      rows.positions.push_back(chunk.counts[1 + i]);
    }
    return rows;
  }

  /// Returns the tensor that accumulates, as matrices: the result, or floats in the workspace if it would round
  /// intermediate sums.
  Tensor buffer_for_sums(bool at_once) {
    const Shape shape{groups_, out_channels_, patch_size_};
    const auto out = reshaped(tensors_.out, shape);
    const bool exact = at_once || tensors_.out.dtype == DType::kFloat;
    if (out && exact) return *out;
    return staging_.make(shape, at_once ? tensors_.out.dtype : DType::kFloat);
  }

  Kernels product(const Im2colChunk& chunk, const Tensor& columns, const Tensor& sums, bool adds) {
    std::int64_t start = 0;  // chunks are contiguous in row-major order
    for (std::size_t i = 0; i < sizes_.size(); ++i) start = start * sizes_[i] + chunk.starts[i];
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
  std::int64_t out_channels_ = 0;  ///< output channels of a group
  std::int64_t patch_size_ = 0;    ///< channels of a group times taps
  Shape sizes_;                    ///< images, then positions along each spatial dim
  Tensor values_;                  ///< (groups, output channels, positions of all images)
  int chunks_ = 0;
};

}  // namespace

Kernels weight_gradient_kernels(const Convolution& convolution, const WeightGradientTensors& tensors,
                                Staging& staging) {
  if (tensors.values.empty()) return fill_kernels(convolution.name, tensors.out, {});
  return WeightGradientKernels(convolution, tensors, staging).kernels();
}

}  // namespace aclvk::ops
