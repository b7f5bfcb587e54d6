#pragma once

#include <string>

#include "capture/model/model.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

/// Returns the model as a Chrome trace (capture-semantics 16.1): a JSON array with one "X" event for each task, stream
/// by stream. Times are synthetic. `verbose` adds the argument blocks of kernels.
std::string trace_json(const Model& model, bool verbose) REQUIRES(runtime::scheduler_mutex);
/// Writes the trace, or the DOT graph if the path ends with ".dot" (aclmdlRIDebugJsonPrint). Throws kParamInvalid when
/// the file cannot be written.
void write_trace(Model& model, const std::string& path, bool verbose);

/// Logs a line for each task and each task group (aclmdlRIDebugPrint).
void print_tasks(Model& model);

}  // namespace aclvk::capture
