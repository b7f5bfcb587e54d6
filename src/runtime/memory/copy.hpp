#pragma once

#include <cstdint>

#include "runtime/context.hpp"
#include "runtime/memory/host_probe.hpp"

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
// addresses that cannot be read or written, are refused with kParamInvalid before anything is copied.

/// The bytes of a copy from its address on: rows, or all in one.
struct Extent {
  std::uint64_t width = 0;
  std::uint64_t height = 1;
  std::uint64_t pitch = 0;  ///< from row to row

  std::uint64_t bytes() const { return pitch * (height - 1) + width; }
};

/// Refuses what the functions below would refuse. `what` names the pointer in the sentence: "Source".
void check_accessible(const void* pointer, const Extent& extent, const char* what, HostAccess access);

void copy_now(void* dst, const void* src, std::uint64_t bytes);
void copy_2d_now(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                 std::uint64_t height);
void fill_now(void* dst, std::uint8_t value, std::uint64_t bytes);
/// The address is a multiple of 4.
void fill_words_now(void* dst, std::uint32_t value, std::uint64_t words);

}  // namespace aclvk::runtime
