#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/tensor/dtype.hpp"

namespace aclvk::ops {

/// A tensor of a failed operator, as the caller describes it.
struct ExceptionTensor {
  enum class AddressKind {
    kAddress,    ///< `address` is the address of the data
    kIndirect,   ///< `address` is the address of a pointer to the data
    kImmediate,  ///< the value of `address` is the data
  };

  std::string role;  ///< "input", "output", "workspace"
  std::uint64_t bytes = 0;
  DType dtype = DType::kFloat;
  int format = 0;
  const void* address = nullptr;  ///< of device memory, which has no type on the host
  AddressKind address_kind = AddressKind::kAddress;
  bool on_host = false;
  std::uint32_t arguments_offset = 0;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> origin_shape;
};

/// Writes <file>.json and, for each tensor, its current data as <file>.<role><number>.npy to the folder. For data that
/// cannot be read the JSON has the reason. Throws kInvalidDumpConfig when the folder or a file cannot be written.
void save_exception_info(const std::string& folder, const std::string& file, const std::string& tag,
                         const std::vector<ExceptionTensor>& tensors);

}  // namespace aclvk::ops
