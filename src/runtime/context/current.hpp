#pragma once

#include <cstdint>

#include "runtime/context/context.hpp"

namespace aclvk::runtime {

// The current context of the calling thread (runtime-semantics, sections 2 and 3): its explicit context if it has one,
// else the primary context that aclrtSetDevice has bound it to, else that of the configured default device, else none.

/// Returns the context, or null.
ContextPtr find_current_context();
/// Returns the context. Throws kContextNull without one.
ContextPtr current_context();

// Queries of the hot path. They use cached values and need no look-up of the handle until a context ends.

/// Returns the device of the context, or null.
const Device* current_device();
/// Throws kContextNull without a context.
void check_has_context();
/// Returns whether the current context has this Context::number.
bool is_current(std::uint64_t context_number);

/// Returns the device of the current context, or the default device; negative without either.
std::int32_t current_device_id();

/// Makes a context current. Drops the binding to a primary context.
void set_current_context(const ContextPtr& context);
/// aclrtCreateContext: makes a context that is current in the calling thread.
ContextPtr create_context(std::int32_t device_id);
/// aclrtDestroyContext: leaves the calling thread without a context when its current one is destroyed.
void destroy_context(const ContextPtr& context);

/// Retains the primary context of the device and binds the thread to it.
void set_device(std::int32_t id);
/// Releases one reference. The last one, or `force`, destroys the primary context. Throws kContextRelease without a
/// reference.
void reset_device(std::int32_t id, bool force);
/// Returns the number of references on the primary context of the device.
std::uint32_t primary_references(std::int32_t id);

/// Sets the default device of aclInit's configuration file; negative for none.
void set_default_device(std::int32_t id);
std::int32_t default_device();

}  // namespace aclvk::runtime
