#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/executor/executor.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

// Dumps of operator calls (docs/recording.md).

/// Runs the second phase of an operator on the stream. While a dump is active the kernels are launched between two host
/// tasks that dump the operator's tensors.
void run_executor(Executor& executor, void* workspace, std::uint64_t workspace_bytes, runtime::Stream& stream);

/// Dumps tensors of a call that another implementation made, with their values at this point of the stream.
void dump_tensors(const std::string& op, const std::string& name, const std::vector<Tensor>& inputs,
                  const std::vector<Tensor>& outputs, runtime::Stream& stream);

}  // namespace aclvk::ops
