#pragma once

#include <cstdint>

namespace aclvk::comm {

/// Bytes of an element. Throws HCCL_E_NOT_SUPPORT for a number that is no data type, and for INT128.
std::uint64_t size_of(int data_type);

/// Throws HCCL_E_NOT_SUPPORT unless elements of the type can be combined by the operation: integers and floats of 16 to
/// 64 bits by all four. Strict mode takes what the board takes: no unsigned integers, no FP64, and no products of INT16
/// and BFP16.
void check_reducible(int data_type, int operation);

}  // namespace aclvk::comm
