#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclStft: torch.stft of a signal that was padded before: a Fourier transform of each frame.
struct StftAttributes {
  std::int64_t size;    ///< of a frame
  std::int64_t hop;     ///< from frame to frame
  std::int64_t window;  ///< its length
  bool normalized;      ///< divided by the root of the size
  bool onesided;        ///< without the frequencies that a real signal has twice
  bool complex;         ///< out is; else a last dim has both parts
};
std::shared_ptr<Executor> plan_stft(const void* self, const void* window, const void* out,
                                    const StftAttributes& attributes);

}  // namespace aclvk::ops
