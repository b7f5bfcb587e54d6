#pragma once

#include <cstdint>
#include <string_view>

#include "ops/kernel/kernel_builder.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// Windows over images, for shaders that include convolution/rows.glsl: a thread takes eight neighbouring positions
/// along the last dim.
struct WindowRows {
  Tensor images;  ///< (N, C, ...)
  Windows windows;
  WindowValues first;  ///< start of the window at position 0 along each dim; below 0 in the padding
  Shape positions;     ///< number of positions along each dim

  std::int64_t image_positions() const { return element_count(positions); }
  /// Returns the blocks of taps along the last dim; some shaders have a thread for each.
  std::int64_t blocks() const;
};

/// Returns a kernel with the constants, the arguments and the first operand of such a shader; the caller appends its
/// own. It has threads for `planes` planes of positions. With `whole_rows` rows of the result consist of vec8s that are
/// stored in one access. 161002 for images that span 4 GiB or more.
KernelBuilder window_row_kernel(const char* name, std::string_view shader, const WindowRows& rows, std::int64_t planes,
                                bool whole_rows);

/// Returns whether the tensor's address is aligned for vec8s.
bool is_aligned_for_vec8(const Tensor& tensor);

}  // namespace aclvk::ops
