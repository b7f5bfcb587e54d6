#pragma once

#include <cstddef>
#include <memory>

#include "base/handle.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

/// An aclrtAllocatorDesc: an allocator of the program, for whoever allocates on behalf of a stream. This library never
/// does (workspaces come from the caller), so it keeps allocators for others, frameworks and libraries, and does not
/// call them.
struct Allocator {
  void* object = nullptr;
  void* (*allocate)(void*, std::size_t) = nullptr;
  void (*free)(void*, void*) = nullptr;
  void* (*allocate_at)(void*, std::size_t, void*) = nullptr;  ///< may be missing
  void* (*address_of)(void*) = nullptr;
};

struct AllocatorDescription {
  Allocator allocator;
};

using AllocatorHandles = HandleTable<AllocatorDescription, HandleTag::kAllocatorDesc>;
AllocatorHandles& allocator_handles();

/// A stream's allocator, as it was when it was registered.
struct RegisteredAllocator {
  void* description = nullptr;
  Allocator allocator;
};

/// Takes the place of an earlier one. kInvalidParam for an allocator that lacks its object or a function.
void register_allocator(const StreamPtr& stream, const RegisteredAllocator& registered);
/// kInvalidParam when the stream has none.
RegisteredAllocator allocator_of(const StreamPtr& stream);
void unregister_allocator(const StreamPtr& stream);

}  // namespace aclvk::runtime
