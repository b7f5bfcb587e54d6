#pragma once

#include <string>

namespace aclvk::ops {

/// Returns whether the strides of a tensor of this aclFormat say where its elements are. Returns false for blocked
/// formats such as FRACTAL_NZ, and for unknown numbers.
bool is_plain_format(int format);

/// The name for messages: "FRACTAL_NZ", or "77, which is none of aclFormat".
std::string format_text(int format);

}  // namespace aclvk::ops
