#pragma once

#include <cstdint>

#include "runtime/context.hpp"

namespace aclvk::runtime {

// Which context the calling thread works in (runtime-semantics, sections 2 and 3): its explicit context if it has one,
// else the primary context that aclrtSetDevice bound it to, else that of the configured default device, else none.

/// The context, or null.
ContextPtr find_current_context();
/// The context; throws kContextNull.
ContextPtr current_context();

// What most calls ask, which is known without a look-up as long as no context ends.

/// The device of the context, or null.
const Device* current_device();
/// Throws kContextNull where there is no context.
void check_has_context();
/// Whether this is the Context::number of the context.
bool is_current(std::uint64_t context_number);

/// The device that the thread works on, or that it would work on by default; negative when there is none.
std::int32_t current_device_id();

/// Makes an explicit context current; drops the binding to a primary context.
void set_current_context(const ContextPtr& context);
/// aclrtCreateContext: a context of its own, current in the calling thread.
ContextPtr create_context(std::int32_t device_id);
/// aclrtDestroyContext: the calling thread is left with no context at all when the destroyed one was its own.
void destroy_context(const ContextPtr& context);

/// Retains the primary context of the device and binds the thread to it.
void set_device(std::int32_t id);
/// Releases one reference; the last one (or `force`) tears the primary context down. kContextRelease when there is
/// none.
void reset_device(std::int32_t id, bool force);
/// References held on the primary context of the device.
std::uint32_t primary_references(std::int32_t id);

/// The default device of aclInit's configuration file; none while negative.
void set_default_device(std::int32_t id);
std::int32_t default_device();

}  // namespace aclvk::runtime
