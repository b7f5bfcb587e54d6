#include "objects.hpp"

#include <mutex>
#include <unordered_map>

namespace aclvk::faults {
namespace {

struct Owners {
  std::shared_mutex mutex;
  std::unordered_map<Key, std::unique_ptr<Owner>> all;
};

// Never destroyed: threads of the library may call Vulkan to the end of the process.
Owners& owners() {
  static Owners* const only = new Owners;
  return *only;
}

}  // namespace

Owner& add_owner(Key key, std::unique_ptr<Owner> owner) {
  for (std::size_t i = 0; i < kCommands; ++i) owner->next[i] = owner->find(name_of(static_cast<Command>(i)));
  const std::unique_lock lock(owners().mutex);
  return *(owners().all[key] = std::move(owner));
}

Owner& owner_of(Key key) {
  const std::shared_lock lock(owners().mutex);
  return *owners().all.at(key);
}

std::unique_ptr<Owner> remove_owner(Key key) {
  const std::unique_lock lock(owners().mutex);
  const auto place = owners().all.find(key);
  auto owner = std::move(place->second);
  owners().all.erase(place);
  return owner;
}

}  // namespace aclvk::faults
