#pragma once

#include <cstdint>
#include <string_view>

#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// Windows over the rows of images, for shaders that include convolution/rows.glsl: a thread takes eight neighbouring
/// places along the last dim.
struct WindowRows {
  Tensor images;  ///< (N, C, ...)
  Windows windows;
  WindowValues first;  ///< where the window begins at the first place along each dim: before the image below 0
  Shape places;        ///< how many it has along each dim

  std::int64_t image_places() const { return element_count(places); }
  /// Parts of the window along the last dim, each of which is a thread's where the shader says so.
  std::int64_t blocks() const;
};

/// A kernel with the constants, arguments and the first operand of such a shader; its own follow. It has the threads of
/// `lines` images. `whole_rows`: eights of the result make up its rows and are one access. 161002 where the images
/// reach over 4 GiB.
runtime::Kernel window_row_kernel(const char* name, std::string_view shader, const WindowRows& rows, std::int64_t lines,
                                  bool whole_rows);

/// Adds to the arguments of a kernel.
void add_argument(runtime::Kernel& kernel, std::int64_t word);

/// Whether eights of elements from an address on are one access each.
bool is_aligned_for_vec8(const Tensor& tensor);

}  // namespace aclvk::ops
