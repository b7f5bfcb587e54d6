#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// The flags of aclrtHostRegisterV2.
enum HostRegisterFlag : std::uint32_t {
  kHostMapped = 0x2,
  kHostIoMemory = 0x4,
  kHostReadOnly = 0x8,
  kHostPinned = 0x10000000,
};

// Registration of host memory of the program with the current context's device (runtime-semantics, 7.3.2), which
// imports it (VK_EXT_external_memory_host). Memory of aclrtMallocHost is visible to devices already: its registration
// is only remembered, and ends with the memory.

/// aclrtHostRegister, with a type instead of flags. Returns the pointer for device work.
void* register_host(void* pointer, std::uint64_t bytes, int type);
void register_host_with_flags(void* pointer, std::uint64_t bytes, std::uint32_t flags);
void unregister_host(void* pointer);
/// Returns whether this process has ever imported memory of the program, which the program may unmap at any time.
bool memory_has_been_registered();
/// Returns the pointer for device work: the host pointer itself, because every call resolves registered host addresses.
void* device_pointer_of(void* pointer);

}  // namespace aclvk::runtime
