#pragma once

#include <cstdint>

#include "runtime/context/context.hpp"
#include "runtime/host/host_probe.hpp"

namespace aclvk::runtime {

/// The kind of memory that an address belongs to, and its device.
struct Location {
  enum class Kind {
    kPageable,  ///< host memory of the program, or an invalid address
    kPinned,    ///< aclrtMallocHost, aclrtHostRegister
    kDevice,    ///< aclrtMalloc
    kManaged,   ///< aclrtMemAllocManaged: host and device use the same pointer
    kDead,      ///< device memory outside of all live allocations: freed, or past the end of one
  };
  Kind kind = Kind::kPageable;
  std::uint32_t device = 0;

  /// Returns whether it is host memory, managed memory excluded.
  bool host() const { return kind == Kind::kPageable || kind == Kind::kPinned; }
};

Location locate(const void* pointer);
/// Returns the name of the kind for error messages, "device memory" for instance.
const char* name_of(Location::Kind kind);

// Copies and fills that no stream orders. They block until done, do not wait for any stream, and work for every
// combination of device, pinned and pageable memory of any device. Ranges that leave a live device allocation, and host
// ranges that cannot be read or written, are refused with kParamInvalid before anything is copied.

/// The extent of one end of a copy in bytes: contiguous, or rows with a pitch.
struct Extent {
  std::uint64_t width = 0;
  std::uint64_t height = 1;
  std::uint64_t pitch = 0;  ///< distance between starts of rows

  std::uint64_t bytes() const { return pitch * (height - 1) + width; }
};

/// Throws what the functions below would throw for this end. `what` names the pointer in the message, "Source" for
/// instance.
void check_accessible(const void* pointer, const Extent& extent, const char* what, HostAccess access);

void copy_now(void* dst, const void* src, std::uint64_t bytes);
void copy_2d_now(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                 std::uint64_t height);
void fill_now(void* dst, std::uint8_t value, std::uint64_t bytes);
/// Requires an address that is a multiple of 4.
void fill_words_now(void* dst, std::uint32_t value, std::uint64_t words);

}  // namespace aclvk::runtime
