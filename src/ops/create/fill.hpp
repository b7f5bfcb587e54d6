#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// The bits of an element, low byte first.
using Element = std::array<std::uint32_t, 4>;

/// Fills a view of any dtype with one element. Elements of the view must not overlap.
Kernels fill_kernels(const char* name, const Tensor& out, const Element& element);

}  // namespace aclvk::ops
