#include "base/intern.hpp"

#include <mutex>
#include <string>
#include <unordered_set>

#include "base/at_fork_lock.hpp"

namespace aclvk {

std::string_view intern(std::string_view text) {
  static auto* mutex = new std::mutex;
  static auto* at_fork = new AtForkLock(*mutex);
  static_cast<void>(at_fork);
  static auto* texts = new std::unordered_set<std::string>;  // node-based: rehashing does not move the texts
  const std::lock_guard lock(*mutex);
  return *texts->emplace(text).first;
}

}  // namespace aclvk
