#include "runtime/signal/count_notify_use.hpp"

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"

namespace aclvk::runtime {
namespace {

CountChange change_of(std::uint32_t mode) {
  constexpr auto kAnd = static_cast<std::uint32_t>(CountChange::kAnd);
  check(mode <= 2 || mode == kAnd, Code::kParamInvalid,
        "The record mode is {}; SET_VALUE 0, ADD 1, BIT_OR 2 or BIT_AND 4 is expected.", mode);
  return static_cast<CountChange>(mode);
}

CountCondition condition_of(std::uint32_t mode) {
  check(mode <= static_cast<std::uint32_t>(CountCondition::kBits), Code::kParamInvalid,
        "The wait mode is {}; LESS 0, EQUAL 1, BIGGER 2, BIGGER_OR_EQUAL 3 or EQUAL_WITH_BITMASK 4 is expected.", mode);
  return static_cast<CountCondition>(mode);
}

}  // namespace

void* create_count_notify(std::uint64_t flag) {
  check(flag <= 1, Code::kParamInvalid, "The flag of a counting notify is {}; 0 or 1 is expected.", flag);
  check_has_context();
  return count_notify_handles().insert(std::make_shared<CountNotify>());
}

void record_count(const CountNotifyPtr& notify, Stream& stream, std::uint32_t mode, std::uint32_t value) {
  stream.accept(CountRecordTask{notify, change_of(mode), value});
}

void wait_count(const CountNotifyPtr& notify, Stream& stream, const CountWait& wait) {
  const WaitLimit limit(wait.timeout_s == UINT32_MAX ? 0 : wait.timeout_s);
  stream.accept(CountWaitTask{notify, condition_of(wait.mode), wait.value, wait.clears, limit});
}

void reset_count(const CountNotifyPtr& notify, Stream& stream) {
  stream.accept(CountRecordTask{notify, CountChange::kSet, 0});
}

}  // namespace aclvk::runtime
