#include "runtime/tensor_desc.hpp"

#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

// A first dim of -2 means an unknown rank. The number of dims is then ACL_UNKNOWN_RANK.
constexpr std::int64_t kUnknownRankDim = -2;
constexpr std::size_t kUnknownRank = 0xFFFFFFFFFFFFFFFE;

}  // namespace

// By the numbers of aclDataType. A type of less than 8 bits counts as a byte, an unknown one as 8 (runtime-semantics
// 12.2).
std::size_t data_type_size(int data_type) {
  switch (data_type) {
    case -1:  // undefined
    case 13:  // string
      return 0;
    case 2:   // int8
    case 4:   // uint8
    case 12:  // bool
    case 29:  // int4
    case 30:  // uint1
    case 34:  // hifloat8
    case 35:  // float8 e5m2
    case 36:  // float8 e4m3fn
    case 37:  // float8 e8m0
      return 1;
    case 1:   // float16
    case 6:   // int16
    case 7:   // uint16
    case 27:  // bf16
      return 2;
    case 0:   // float
    case 3:   // int32
    case 8:   // uint32
    case 33:  // complex32
      return 4;
    case 17:  // complex128
      return 16;
    default: return 8;
  }
}

std::size_t TensorDesc::element_count() const {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(count, static_cast<std::size_t>(dim), &count)) return 0;
  }
  return count;
}

std::size_t TensorDesc::bytes() const {
  std::size_t size = 0;
  return __builtin_mul_overflow(element_count(), data_type_size(data_type), &size) ? 0 : size;
}

std::size_t TensorDesc::dim_count() const {
  return !dims.empty() && dims.front() == kUnknownRankDim ? kUnknownRank : dims.size();
}

// Neither is destroyed at exit: programs may destroy descriptors while the process exits.
DataBufferHandles& data_buffer_handles() { return ProcessState<DataBufferHandles, StateId::kDataBufferHandles>::get(); }

TensorDescHandles& tensor_desc_handles() { return ProcessState<TensorDescHandles, StateId::kTensorDescHandles>::get(); }

}  // namespace aclvk::runtime
