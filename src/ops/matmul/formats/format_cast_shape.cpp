#include "ops/matmul/formats/format_cast_shape.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/weight_size.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

constexpr int kNd = 2;  // ACL_FORMAT_ND
constexpr int kAsSource = -1;
constexpr std::int64_t kBlockRowBytes = 32;
constexpr DTypeSet kOthers = kFloats.with(kFloat8s).with({DType::kInt8});

/// Returns the dtype that determines how many columns a block has.
DType dtype_of_blocks(const Tensor& src, int other_dtype) {
  if (other_dtype == kAsSource) return src.dtype;
  const auto other = static_cast<DType>(other_dtype);
  check(kOthers.contains(other), Code::kNnInvalid,
        "additionalDtype is {}; -1, FLOAT, FLOAT16, BF16, INT8 or an 8-bit float is expected.", other_dtype);
  return other;
}

}  // namespace

StoredAs stored_as(const aclTensor* handle, int format, int other_dtype) {
  const TensorPtr src = required_tensor({handle, "srcTensor"});
  check_dtype(*src, "srcTensor", dtypes_of("aclnnNpuFormatCast").inputs);
  check(src->shape.size() >= 2 && src->shape.size() + 2 <= kMaxRank, Code::kNnInvalid,
        "srcTensor has shape {}; 2 to {} dims are expected.", src->shape, kMaxRank - 2);
  const std::int64_t columns = kBlockRowBytes / static_cast<std::int64_t>(size_of(dtype_of_blocks(*src, other_dtype)));
  if (format == kFractalNz) return {fractal_storage(in_memory_order(*src).shape, columns), kFractalNz};
  check(format == kNd || format == src->format, Code::kNnInvalid,
        "dstFormat is {}; ND (2), FRACTAL_NZ (29) or srcTensor's, which is {}, is expected.", format, src->format);
  return {src->shape, format};
}

}  // namespace aclvk::ops
