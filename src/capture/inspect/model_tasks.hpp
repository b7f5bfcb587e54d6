#pragma once

#include <cstdint>
#include <vector>

#include "capture/model/model.hpp"

namespace aclvk::capture {

/// Returns handles of a model's streams: ModelStreams of a captured model, the bound streams of a built model.
std::vector<void*> streams_of(Model& model);
/// Returns handles of the tasks of a ModelStream or of a bound stream. Throws kParamInvalid for another handle.
std::vector<void*> tasks_of(const void* stream);

/// Copies a list into a caller's array, as the introspection functions do. In: `number` is the array's capacity; out:
/// the length of the list. Fills unused entries with NULL; only returns the length when `out` is null. Throws
/// kInsufficientInputArray, after filling the array, when the list is longer.
void copy_list(const std::vector<void*>& all, void** out, std::uint32_t& number);

}  // namespace aclvk::capture
