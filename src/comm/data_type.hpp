#pragma once

#include <cstdint>

namespace aclvk::comm {

/// Returns the bytes of an element. Throws HCCL_E_NOT_SUPPORT for an unknown data type and for INT128.
std::uint64_t size_of(int data_type);

/// Throws HCCL_E_NOT_SUPPORT unless the operation can reduce elements of the type: all four operations reduce integers
/// up to 64 bits and floats of 16 to 64 bits. Strict mode accepts only types of the official hardware: no unsigned
/// integers, no FP64, and no products of INT16 and BFP16.
void check_reducible(int data_type, int operation);

}  // namespace aclvk::comm
