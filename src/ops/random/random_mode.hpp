#pragma once

#include <cstdint>

namespace aclvk::ops {

/// The setting of aclnnSetPytorchRandom, which tells kernels of the newest chips how to count. The generators here
/// count in one way, so it is kept and changes nothing. 161002 for what is neither 0 nor 1.
void set_random_mode(std::int32_t mode);
std::int32_t random_mode() noexcept;  ///< 1 at first

}  // namespace aclvk::ops
