#include "base/log_limit.hpp"

#include <fmt/format.h>

#include <exception>
#include <map>
#include <utility>

#include "base/at_fork_lock.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"

namespace aclvk {
namespace {

// Enough lines to find the first failures in; a loop that fails for hours adds a few more, and not gigabytes.
constexpr std::uint64_t kFirstLines = 100;

struct Counts {
  Mutex mutex;
  AtForkLock held{mutex};
  std::map<std::pair<std::string_view, int>, std::uint64_t> by_kind GUARDED_BY(mutex);
};

Counts& counts() { return ProcessState<Counts, StateId::kLogLines>::get(); }

bool is_power_of_ten(std::uint64_t number) {
  while (number % 10 == 0) number /= 10;
  return number == 1;
}

}  // namespace

std::uint64_t count_line(std::string_view kind, int code) noexcept try {
  Counts& all = counts();
  const LockGuard lock(all.mutex);
  const std::uint64_t number = ++all.by_kind[{kind, code}];
  return number <= kFirstLines || is_power_of_ten(number) ? number : 0;
} catch (const std::exception&) {  // out of memory: write the line
  return 1;
}

std::string limit_suffix(std::uint64_t number) {
  if (number < kFirstLines) return {};
  return fmt::format(" ({} lines like this one so far; after {} only the 1000th, the 10000th and so on are written.)",
                     number, kFirstLines);
}

}  // namespace aclvk
