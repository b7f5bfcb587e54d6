#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/dump/call_arguments.hpp"
#include "ops/executor.hpp"
#include "ops/tensor.hpp"

namespace aclvk::ops {

// Dumps of operator calls (docs/recording.md). Used only while runtime::dump_active() is true.

/// Calls `launch` between two host tasks that dump the operator's tensors. `arguments` is null when no dump was active
/// in the first phase: then only the executor's operands are known.
void dump_call(const std::string& op, const CallArguments* arguments, const Executor::Operands& operands,
               runtime::Stream& stream, const std::function<void()>& launch);

/// Dumps tensors of a call that another implementation made, with their values at this point of the stream.
void dump_tensors(const std::string& op, const std::string& name, const std::vector<Tensor>& inputs,
                  const std::vector<Tensor>& outputs, runtime::Stream& stream);

}  // namespace aclvk::ops
