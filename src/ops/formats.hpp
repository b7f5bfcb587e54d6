#pragma once

#include <string>

namespace aclvk::ops {

/// Whether a tensor of this aclFormat has its elements where its strides say. All others are blocked, or unknown.
bool is_plain_format(int format);

/// "FRACTAL_NZ", or "77, which is none of aclFormat".
std::string format_text(int format);

}  // namespace aclvk::ops
