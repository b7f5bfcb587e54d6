#include "comm/data_type.hpp"

#include "base/config.hpp"
#include "comm/comm_error.hpp"

namespace aclvk::comm {
namespace {

// Returns whether Ascend hardware reduces elements of the type by the operation.
bool board_reduces(int data_type, int operation) {
  switch (data_type) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_FP32: return true;
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_BFP16: return operation != HCCL_REDUCE_PROD;
    default: return false;
  }
}

}  // namespace

std::uint64_t size_of(int data_type) {
  switch (data_type) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_UINT8:
    case HCCL_DATA_TYPE_HIF8:
    case HCCL_DATA_TYPE_FP8E4M3:
    case HCCL_DATA_TYPE_FP8E5M2:
    case HCCL_DATA_TYPE_FP8E8M0: return 1;
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_BFP16: return 2;
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_FP32: return 4;
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64: return 8;
    default:
      throw CommError(HCCL_E_NOT_SUPPORT,
                      fmt::format("dataType {} is none that collectives move; INT8 (0) to BFP16 (11) and 8-bit floats "
                                  "(14 to 17) are.",
                                  data_type));
  }
}

void check_reducible(int data_type, int operation) {
  check(operation >= HCCL_REDUCE_SUM && operation <= HCCL_REDUCE_MIN, HCCL_E_NOT_SUPPORT,
        "op {} is no reduction; SUM (0), PROD (1), MAX (2) and MIN (3) are.", operation);
  check(data_type <= HCCL_DATA_TYPE_BFP16, HCCL_E_NOT_SUPPORT,
        "dataType {} cannot be reduced; integers up to 64 bits and floats of 16 to 64 bits can.", data_type);
  check(!config().strict() || board_reduces(data_type, operation), HCCL_E_NOT_SUPPORT,
        "dataType {} with op {} is not reduced by a board, and ACLVK_COMPATIBILITY is strict.", data_type, operation);
}

}  // namespace aclvk::comm
