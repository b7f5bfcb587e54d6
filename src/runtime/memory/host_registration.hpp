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

// Host memory of the program made visible to the current context's device (runtime-semantics, 7.3.2). Memory of
// aclrtMallocHost is visible anyway; registering it only keeps the book, and ends with the memory.

/// aclrtHostRegister: a type, not flags. Returns the pointer for device work.
void* register_host(void* pointer, std::uint64_t bytes, int type);
void register_host_with_flags(void* pointer, std::uint64_t bytes, std::uint32_t flags);
void unregister_host(void* pointer);
/// Whether memory of the program, which it may unmap, has ever been registered in this process.
bool memory_has_been_registered();
/// The pointer for device work: the same one, because every call resolves host addresses of registered memory.
void* device_pointer_of(void* pointer);

}  // namespace aclvk::runtime
