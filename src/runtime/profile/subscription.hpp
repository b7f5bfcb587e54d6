#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::runtime::profile {

struct TimedSubmission;

/// What a program that has subscribed to a model reads from its pipe for each task: plain bytes, all of one size.
struct OpRecord {
  static constexpr std::size_t kTypeBytes = 0x41;   ///< ACL_PROF_MAX_OP_TYPE_LEN
  static constexpr std::size_t kNameBytes = 0x101;  ///< ACL_PROF_MAX_OP_NAME_LEN

  std::uint64_t begin = 0;  ///< nanoseconds of the host's steady clock
  std::uint64_t end = 0;
  std::uint32_t model = 0;
  std::uint32_t thread = 0;  ///< that launched the run
  char type[kTypeBytes] = {};
  char name[kNameBytes] = {};
};

/// Writes a record for each task that runs of the model have done to the file descriptor, from another thread. Throws
/// kProfilingSubscribed when somebody has subscribed to it.
void subscribe(std::uint32_t model, int descriptor, bool with_times);
/// After the records of what has been launched so far. Throws kInvalidParam when nobody has subscribed.
void unsubscribe(std::uint32_t model);
/// Whether runs of the model are timed for a subscriber.
bool subscribed(std::uint32_t model);
bool any_subscribed();

/// Gives the records of a run that is done to those who have subscribed.
void notify_subscribers(const TimedSubmission& submission, const std::vector<std::int64_t>& moments);

}  // namespace aclvk::runtime::profile
