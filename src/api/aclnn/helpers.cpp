// Functions of one phase beside the operators: they need no device and compute at once on the host.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "aclnnop_all.h"
#include "api/base/guard.hpp"
#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/matmul/formats/format_cast_shape.hpp"
#include "ops/matmul/formats/sparse_weight.hpp"
#include "ops/matmul/formats/weight_size.hpp"
#include "ops/matmul/quantised/host_quant_word.hpp"
#include "ops/random/random_mode.hpp"

using namespace aclvk::ops;
using aclvk::api::guard_host;

namespace {

struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};

/// Returns an array that the program frees with free().
template <typename Value>
using Array = std::unique_ptr<Value, Freed>;

template <typename Values>
auto array_of(const Values& values) {
  using Value = std::decay_t<decltype(values[0])>;
  Array<Value> array(static_cast<Value*>(std::malloc(values.size() * sizeof(Value))));
  if (!array) throw std::bad_alloc();
  std::copy(values.begin(), values.end(), array.get());
  return array;
}

}  // namespace

aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape, uint64_t* weightTensorSize) {
  return guard_host(__func__, [&] {
    require(tensorShape, "tensorShape");
    require(weightTensorSize, "weightTensorSize");
    *weightTensorSize = matmul_weight_elements(tensorShape, DType::kFloat16);
  });
}

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
  return guard_host(__func__, [&] {
    require(tensorShape, "tensorShape");
    require(weightTensorSize, "weightTensorSize");
    *weightTensorSize = matmul_weight_elements(tensorShape, static_cast<DType>(dataType));
  });
}

aclnnStatus aclnnCalculateConvolutionWeightSize(const aclIntArray* tensorShape, bool transposed, int64_t groups,
                                                aclDataType dataType, uint64_t* weightTensorSize) {
  return guard_host(__func__, [&] {
    require(tensorShape, "tensorShape");
    require(weightTensorSize, "weightTensorSize");
    *weightTensorSize = convolution_weight_elements(tensorShape, transposed, groups, static_cast<DType>(dataType));
  });
}

aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor* srcTensor, const int dstFormat,
                                                     int additionalDtype, int64_t** dstShape, uint64_t* dstShapeSize,
                                                     int* actualFormat) {
  return guard_host(__func__, [&] {
    require(srcTensor, "srcTensor");
    require(dstShape, "dstShape");
    require(dstShapeSize, "dstShapeSize");
    require(actualFormat, "actualFormat");
    const StoredAs stored = stored_as(srcTensor, dstFormat, additionalDtype);
    // The caller frees this array with delete[], unlike those of array_of() (interface/docs/helpers.tsv).
    auto dims = std::make_unique<int64_t[]>(stored.storage.size());
    std::copy(stored.storage.begin(), stored.storage.end(), dims.get());
    *dstShape = dims.release();
    *dstShapeSize = stored.storage.size();
    *actualFormat = stored.format;
  });
}

aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize, const float* offsetArray,
                                 uint64_t offsetSize, uint64_t** quantParam, uint64_t* quantParamSize) {
  return guard_host(__func__, [&] {
    require(scaleArray, "scaleArray");
    require(quantParam, "quantParam");
    require(quantParamSize, "quantParamSize");
    const auto words = host_quant_words(scaleArray, scaleSize, offsetArray, offsetSize);
    *quantParam = array_of(words).release();
    *quantParamSize = words.size();
  });
}

aclnnStatus aclnnTransSparse4to2Para(const int8_t* weight, aclIntArray* shape, int8_t** sparseWeight,
                                     int64_t** sparseWeightDims, uint64_t* sparseWeightDimsNum, uint8_t** index,
                                     int64_t** indexDims, uint64_t* indexDimsNum) {
  return guard_host(__func__, [&] {
    require(weight, "weight");
    require(shape, "shape");
    require(sparseWeight, "sparseWeight");
    require(sparseWeightDims, "sparseWeightDims");
    require(sparseWeightDimsNum, "sparseWeightDimsNum");
    require(index, "index");
    require(indexDims, "indexDims");
    require(indexDimsNum, "indexDimsNum");
    const SparseWeight sparse = sparse_weight(weight, shape);
    auto values = array_of(sparse.values);
    auto value_dims = array_of(sparse.value_dims);
    auto places = array_of(sparse.index);
    auto place_dims = array_of(sparse.index_dims);
    *sparseWeight = values.release();
    *sparseWeightDims = value_dims.release();
    *sparseWeightDimsNum = sparse.value_dims.size();
    *index = places.release();
    *indexDims = place_dims.release();
    *indexDimsNum = sparse.index_dims.size();
  });
}

aclnnStatus aclnnSetPytorchRandom(int32_t pytorchRandom) {
  return guard_host(__func__, [&] { set_random_mode(pytorchRandom); });
}

int32_t aclnnGetPytorchRandom() { return random_mode(); }

// The library contains its shaders, so a folder of kernels has no effect.
aclnnStatus aclnnReselectStaticKernel() { return 0; }

aclnnStatus aclnnReselectStaticKernelWithPath(const char* staticKernelPath) {
  return guard_host(__func__, [&] { require(staticKernelPath, "staticKernelPath"); });
}
