#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The kind of softmax: kOperator of shaders/softmax.
enum class Softmax : std::uint32_t { kPlain = 0, kLog = 1 };

/// aclnnSoftmax, aclnnLogSoftmax.
std::shared_ptr<Executor> plan_softmax(const char* name, Softmax kind, const InputArg& self, std::int64_t dim,
                                       const OutputArg& out);
/// aclnnSoftmaxBackward, aclnnLogSoftmaxBackward: the gradient of self from that of the output and from the output.
std::shared_ptr<Executor> plan_softmax_backward(const char* name, Softmax kind, const InputArg& gradient,
                                                const InputArg& output, std::int64_t dim, const OutputArg& out);

}  // namespace aclvk::ops
