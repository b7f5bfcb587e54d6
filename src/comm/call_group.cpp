#include "comm/call_group.hpp"

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "base/thread_value.hpp"
#include "comm/comm_error.hpp"

namespace aclvk::comm {
namespace {

struct Group {
  std::uint32_t depth = 0;                // of nested groups
  CallKind kind = CallKind::kCollective;  // valid if there are calls
  std::vector<std::function<void()>> calls;
};

// A group collects the calls of one thread (HcclGroupStart).
Group& group() {
  thread_local ThreadValue<Group> own;
  return own.get();
}

const char* name_of(CallKind kind) {
  switch (kind) {
    case CallKind::kCommunicator: return "communicators";
    case CallKind::kCollective: return "collectives";
    case CallKind::kPointToPoint: return "sends and receives";
  }
  return "";
}

}  // namespace

void start_group() { ++group().depth; }

// The list is emptied first, so that a failed group leaves nothing to the next one.
void end_group() {
  check(group().depth > 0, HCCL_E_PARA, "The thread has started no group.");
  if (--group().depth > 0) return;
  std::exception_ptr first;
  for (const auto& call : std::exchange(group().calls, {})) {
    try {
      call();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

bool in_group() { return group().depth > 0; }

void issue(CallKind kind, std::function<void()> work) {
  if (!in_group()) return work();
  check(group().calls.empty() || group().kind == kind, HCCL_E_PARA,
        "The group has {}; {} belong into a group of their own.", name_of(group().kind), name_of(kind));
  group().kind = kind;
  group().calls.push_back(std::move(work));
}

void check_no_group(const char* function) {
  check(!in_group(), HCCL_E_NOT_SUPPORT, "{} is called inside a group, which it cannot be part of.", function);
}

}  // namespace aclvk::comm
