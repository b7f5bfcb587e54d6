#pragma once

#include <cstddef>
#include <memory>

#include "base/handle.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

/// The functions of an allocator that a program registers for a stream. This library stores them for frameworks and
/// other libraries and never calls them: the caller brings all workspaces.
struct Allocator {
  void* object = nullptr;
  void* (*allocate)(void*, std::size_t) = nullptr;
  void (*free)(void*, void*) = nullptr;
  void* (*allocate_at)(void*, std::size_t, void*) = nullptr;  ///< optional
  void* (*address_of)(void*) = nullptr;
};

/// An aclrtAllocatorDesc.
struct AllocatorDescription {
  Allocator allocator;
};

using AllocatorHandles = HandleTable<AllocatorDescription, HandleTag::kAllocatorDesc>;
AllocatorHandles& allocator_handles();

/// The allocator of a stream: a copy of the description at its registration.
struct RegisteredAllocator {
  void* description = nullptr;
  Allocator allocator;
};

/// Replaces the stream's allocator. Throws kInvalidParam for an allocator without its object or a required function.
void register_allocator(const StreamPtr& stream, const RegisteredAllocator& registered);
/// Throws kInvalidParam when the stream has none.
RegisteredAllocator allocator_of(const StreamPtr& stream);
void unregister_allocator(const StreamPtr& stream);

}  // namespace aclvk::runtime
