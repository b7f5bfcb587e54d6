#pragma once

#include "vk_device/buffer.hpp"

namespace aclvk::capture {

class Model;

/// ACLVK_CHECK_LIFETIME: throws kModelExecute when memory that a task of the model refers to has been freed since it
/// was captured or updated, also when another allocation has got the same bytes. Looks at the tasks as they are now;
/// what is freed or updated before a run in the queue starts is not seen. Needs the scheduler's lock.
///
/// Programs must keep what a model refers to, and often do not. Without the check nothing crashes, because command
/// buffers keep their buffers, but the model works on bytes that belong to somebody else.
void check_lifetime(Model& model);

/// Throws kModelExecute when the program has unmapped registered memory that a task of the model refers to: a CPU
/// driver would end the process. Needs the scheduler's lock.
void check_registered_memory(const Model& model);

/// Whether tasks of the model, or of its bodies, refer to the allocation: what a run that has been launched is still to
/// use. Many runs of a model are asked for each allocation that is freed, so the model remembers what it refers to.
/// Needs the scheduler's lock.
bool uses(Model& model, const vk::BufferRange& allocation);

}  // namespace aclvk::capture
