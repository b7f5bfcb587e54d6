#include "comm/communicator.hpp"

#include <vector>

#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "comm/comm_error.hpp"
#include "comm/root_info.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::comm {
namespace {

using Table = HandleTable<Communicator, HandleTag::kCommunicator>;

Table& communicators() { return ProcessState<Table, StateId::kCommunicators>::get(); }

/// An entry of Names.
struct Named {
  std::string name;
  std::int32_t device;
  void* handle;
};

/// The names of all communicators, in order of creation. Thread safe.
class Names {
 public:
  void add(Named named) {
    const LockGuard lock(mutex_);
    all_.push_back(std::move(named));
  }
  void remove(const void* handle) {
    const LockGuard lock(mutex_);
    for (auto entry = all_.begin(); entry != all_.end(); ++entry) {
      if (entry->handle != handle) continue;
      all_.erase(entry);
      return;
    }
  }
  void* find(const std::string& name, std::int32_t device) const {
    const LockGuard lock(mutex_);
    for (auto entry = all_.rbegin(); entry != all_.rend(); ++entry) {
      if (entry->name == name && entry->device == device) return entry->handle;
    }
    return nullptr;
  }

 private:
  mutable Mutex mutex_;
  AtForkLock held_{mutex_};
  std::vector<Named> all_ GUARDED_BY(mutex_);
};

Names& names() { return ProcessState<Names, StateId::kCommunicatorNames>::get(); }

}  // namespace

Communicator::Communicator(Settings given, std::string its_name, std::int32_t its_device)
    : settings(std::move(given)),
      name(std::move(its_name)),
      device(its_device),
      deterministic(settings.deterministic) {}

CommunicatorPtr communicator_of(const void* handle) {
  require(handle, "comm");
  CommunicatorPtr found = communicators().find(handle);
  check(found != nullptr, HCCL_E_PARA, "comm ({}) is not a live communicator.", handle);
  return found;
}

void* create_communicator(std::uint32_t ranks, std::uint32_t rank, const std::string& identity, Settings settings) {
  check(ranks > 0, HCCL_E_PARA, "nRanks is 0; at least 1 is expected.");
  check(rank < ranks, HCCL_E_PARA, "rank is {}; ranks 0 to {} are expected.", rank, ranks - 1);
  check(ranks == Communicator::kRanks, HCCL_E_NOT_SUPPORT,
        "nRanks is {}; communicators of more than one rank are not built in aclvk.", ranks);
  return create_communicator_on(static_cast<std::int32_t>(runtime::current_context()->device().id), identity,
                                std::move(settings));
}

void* create_on_devices(std::uint32_t count, const std::int32_t* devices) {
  check(count > 0, HCCL_E_PARA, "ndev is 0; at least 1 is expected.");
  check(count == Communicator::kRanks, HCCL_E_NOT_SUPPORT,
        "ndev is {}; communicators of more than one rank are not built in aclvk.", count);
  const auto visible = static_cast<std::int32_t>(runtime::device_count());
  check(devices[0] >= 0 && devices[0] < visible, HCCL_E_PARA, "devices[0] is {}; {} devices are visible.", devices[0],
        visible);
  return create_communicator_on(devices[0], identity_of(make_root_info()), settings_from_environment());
}

void check_rank(std::uint32_t rank, const char* name) {
  check(rank < Communicator::kRanks, HCCL_E_PARA, "{} is {}; the communicator has {} rank.", name, rank,
        Communicator::kRanks);
}

bool is_member(const std::uint32_t* ranks, std::uint64_t id) { return ranks || id != 0xFFFFFFFF; }

void check_members(std::uint32_t count, const std::uint32_t* ranks, std::uint32_t own_index) {
  require(ranks, "rankIds");
  check(count == Communicator::kRanks, HCCL_E_PARA, "rankNum is {}; the parent has {} rank.", count,
        Communicator::kRanks);
  check_rank(ranks[0], "rankIds[0]");
  check(own_index < count, HCCL_E_PARA, "subCommRankId is {}; the list has {} rank.", own_index, count);
}

void* create_communicator_on(std::int32_t device, const std::string& identity, Settings settings) {
  const std::string name = settings.name.empty() ? "aclvk_" + identity : settings.name;
  void* handle = communicators().insert(std::make_shared<Communicator>(std::move(settings), name, device));
  names().add({name, device, handle});
  return handle;
}

void* create_sub_communicator(const Communicator& parent, std::uint64_t id, Settings settings) {
  if (settings.name.empty()) settings.name = fmt::format("{}_sub_{}", parent.name, id);
  check(settings.name.size() < COMM_NAME_MAX_LENGTH, HCCL_E_PARA, "The name \"{}\" has {} characters; at most {} fit.",
        settings.name, settings.name.size(), COMM_NAME_MAX_LENGTH - 1);
  return create_communicator_on(parent.device, {}, std::move(settings));
}

void destroy_communicator(const void* handle) {
  check(communicators().remove(handle) != nullptr, HCCL_E_PARA, "comm ({}) is not a live communicator.", handle);
  names().remove(handle);
}

void* handle_with_name(const std::string& name) {
  const std::int32_t device = runtime::current_device_id();
  void* handle = names().find(name, device);
  check(handle != nullptr, HCCL_E_NOT_FOUND, "No communicator of device {} is called \"{}\".", device, name);
  return handle;
}

}  // namespace aclvk::comm
