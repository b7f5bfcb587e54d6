#pragma once

#include <cstdint>

#include "runtime/context.hpp"

namespace aclvk::runtime {

/// What an address is, wherever it was allocated.
struct Location {
  enum class Kind {
    kPageable,  ///< the program's own memory, or no memory at all
    kPinned,    ///< aclrtMallocHost, aclrtHostRegister
    kDevice,    ///< aclrtMalloc
    kManaged,   ///< aclrtMemAllocManaged: host and device use the same pointer
    kDead,      ///< in memory of a device that no live allocation covers: freed, or behind the end of one
  };
  Kind kind = Kind::kPageable;
  std::uint32_t device = 0;

  /// Real host memory: what no device can call its own.
  bool host() const { return kind == Kind::kPageable || kind == Kind::kPinned; }
};

Location locate(const void* pointer);
/// The name of the kind in sentences: "device memory".
const char* name_of(Location::Kind kind);

// Copies and fills that no stream orders. They block until done, do not wait for any stream, and work for every
// combination of device, pinned and pageable memory of any device. Bytes outside a live device allocation, and host
// addresses behind which there is no memory, are refused with kParamInvalid.

/// Refuses what the functions below would refuse. `what` names the pointer in the sentence: "Source".
void check_accessible(const void* pointer, std::uint64_t bytes, const char* what);

void copy_now(void* dst, const void* src, std::uint64_t bytes);
void copy_2d_now(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                 std::uint64_t height);
void fill_now(void* dst, std::uint8_t value, std::uint64_t bytes);
/// The address is a multiple of 4.
void fill_words_now(void* dst, std::uint32_t value, std::uint64_t words);

}  // namespace aclvk::runtime
