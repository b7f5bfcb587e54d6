#pragma once

#include <string>

#include "capture/model.hpp"

namespace aclvk::capture {

/// The model as a Chrome trace (capture-semantics 16.1): a JSON array with one "X" event a task, streams one after the
/// other. Times are synthetic. `verbose` adds the raw argument blocks of kernels.
std::string trace_json(const Model& model, bool verbose);
/// aclmdlRIDebugJsonPrint: the trace, or the graph where the path is that of a DOT file (capture/dot.hpp). Throws
/// kParamInvalid when the file cannot be written.
void write_trace(Model& model, const std::string& path, bool verbose);

/// aclmdlRIDebugPrint: one line a task and one a task group, to the log.
void print_tasks(Model& model);

}  // namespace aclvk::capture
