#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/dump/call_arguments.hpp"
#include "ops/executor.hpp"
#include "ops/tensor.hpp"

namespace aclvk::ops {

// What operators leave in recordings (docs/recording.md). For when runtime::recording() is true.

/// Launches an operator with `launch`, between two host tasks that read its tensors. `arguments` is null when nobody
/// recorded in the first phase: then only the executor's operands are known.
void dump_call(const std::string& op, const CallArguments* arguments, const Executor::Operands& operands,
               runtime::Stream& stream, const std::function<void()>& launch);

/// A call of an operator that is not ours: its tensors, as they are when the stream comes here.
void dump_tensors(const std::string& op, const std::string& name, const std::vector<Tensor>& inputs,
                  const std::vector<Tensor>& outputs, runtime::Stream& stream);

}  // namespace aclvk::ops
