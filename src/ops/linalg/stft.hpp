#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclStft: torch.stft with center=False, of a signal that the program has padded.
struct StftAttributes {
  std::int64_t size;    ///< nFft: elements of a frame
  std::int64_t hop;     ///< elements from the start of a frame to that of the next
  std::int64_t window;  ///< winLength; a shorter window is centred in the frame
  bool normalized;      ///< divides by sqrt(size)
  bool onesided;        ///< only frequencies 0 to size / 2: a real signal's others are their conjugates
  bool complex;         ///< out is complex; else its last dim holds real and imaginary parts
};
std::shared_ptr<Executor> plan_stft(const InputArg& self, const InputArg& window, const OutputArg& out,
                                    const StftAttributes& attributes);

}  // namespace aclvk::ops
