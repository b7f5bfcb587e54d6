#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnTransformBiasRescaleQkv: qkv + bias, split into queries, keys and values of (batch, heads, tokens, size of a
/// head); queries are divided by the root of that size.
std::shared_ptr<Executor> plan_split_qkv(const void* qkv, const void* bias, std::int64_t heads, const void* q,
                                         const void* k, const void* v);

}  // namespace aclvk::ops
