#include "base/intern.hpp"

#include <string>
#include <unordered_set>

#include "base/at_fork_lock.hpp"
#include "base/mutex.hpp"

namespace aclvk {

std::string_view intern(std::string_view text) {
  static auto* mutex = new Mutex;
  static auto* at_fork = new AtForkLock(*mutex);
  static_cast<void>(at_fork);
  static auto* texts PT_GUARDED_BY(*mutex) =
      new std::unordered_set<std::string>;  // node-based: rehashing does not move the texts
  const LockGuard lock(*mutex);
  return *texts->emplace(text).first;
}

}  // namespace aclvk
