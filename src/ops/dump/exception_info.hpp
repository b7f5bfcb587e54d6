#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/dtype.hpp"

namespace aclvk::ops {

/// A tensor of a failed operator, as whoever noticed the failure describes it.
struct ExceptionTensor {
  enum class AddressKind {
    kAddress,    ///< `address` is that of the data
    kIndirect,   ///< `address` is that of a word that holds the data's
    kImmediate,  ///< the pointer itself is the data
  };

  std::string role;  ///< "input", "output", "workspace"
  std::uint64_t bytes = 0;
  DType dtype = DType::kFloat;
  int format = 0;
  const void* address = nullptr;
  AddressKind address_kind = AddressKind::kAddress;
  bool on_host = false;
  std::uint32_t arguments_offset = 0;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> origin_shape;
};

/// Writes <file>.json, and the data of each tensor as it is now to <file>.<role><number>.npy, into the folder. Data
/// that cannot be read is missing, with a sentence. Throws kInvalidDumpConfig when the folder cannot be made or a file
/// cannot be written.
void save_exception_info(const std::string& folder, const std::string& file, const std::string& tag,
                         const std::vector<ExceptionTensor>& tensors);

}  // namespace aclvk::ops
