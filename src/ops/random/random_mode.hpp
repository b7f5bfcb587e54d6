#pragma once

#include <cstdint>

namespace aclvk::ops {

/// The setting of aclnnSetPytorchRandom, which selects how kernels of recent Ascend chips use the generator's counter.
/// It is stored but has no effect here. Throws 161002 unless it is 0 or 1.
void set_random_mode(std::int32_t mode);
std::int32_t random_mode() noexcept;  ///< initially 1

}  // namespace aclvk::ops
