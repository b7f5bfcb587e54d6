#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::runtime::profile {

struct TimedSubmission;

/// The record of one task that a subscriber of a model reads from its pipe: plain bytes of fixed size.
struct OpRecord {
  static constexpr std::size_t kTypeBytes = 0x41;   ///< ACL_PROF_MAX_OP_TYPE_LEN
  static constexpr std::size_t kNameBytes = 0x101;  ///< ACL_PROF_MAX_OP_NAME_LEN

  std::uint64_t begin = 0;  ///< nanoseconds of the host's steady clock
  std::uint64_t end = 0;
  std::uint32_t model = 0;
  std::uint32_t thread = 0;  ///< the thread that launched the run
  char type[kTypeBytes] = {};
  char name[kNameBytes] = {};
};

/// Subscribes to a model: a thread writes a record for each completed task of its runs to the file descriptor. Throws
/// kProfilingSubscribed when the model has a subscriber.
void subscribe(std::uint32_t model, int descriptor, bool with_times);
/// Ends the subscription after the records of all runs that have been launched. Throws kInvalidParam without a
/// subscription.
void unsubscribe(std::uint32_t model);
/// Returns whether the model has a subscriber, so that its runs are timed.
bool subscribed(std::uint32_t model);
bool any_subscribed();

/// Queues the records of a completed run for the subscriber of its model, if there is one.
void notify_subscribers(const TimedSubmission& submission, const std::vector<std::int64_t>& moments);

}  // namespace aclvk::runtime::profile
