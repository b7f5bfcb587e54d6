#pragma once

#include <cstdint>

#include "runtime/event/count_notify.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// The functions of the API for counting notifies.

/// The arguments of aclrtCntNotifyWaitWithTimeout, unchecked.
struct CountWait {
  std::uint32_t mode = 0;
  std::uint32_t value = 0;
  std::uint32_t timeout_s = 0;  ///< 0 and UINT32_MAX: no limit
  bool clears = false;
};

void* create_count_notify(std::uint64_t flag);
/// Issue a record, a wait or a reset on the stream. Throw kParamInvalid for an unknown mode.
void record_count(const CountNotifyPtr& notify, Stream& stream, std::uint32_t mode, std::uint32_t value);
void wait_count(const CountNotifyPtr& notify, Stream& stream, const CountWait& wait);
void reset_count(const CountNotifyPtr& notify, Stream& stream);

}  // namespace aclvk::runtime
