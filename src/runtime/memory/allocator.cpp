#include "runtime/memory/allocator.hpp"

#include <map>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

/// The allocators by stream. The keys are weak: a registration does not keep its stream alive.
struct Registrations {
  Mutex mutex;
  std::map<std::weak_ptr<Stream>, RegisteredAllocator, std::owner_less<>> by_stream GUARDED_BY(mutex);

  void remove_ended_streams() REQUIRES(mutex) {
    for (auto it = by_stream.begin(); it != by_stream.end();) it = it->first.expired() ? by_stream.erase(it) : ++it;
  }
};

// Not destroyed at exit: programs unregister allocators in destructors of their own statics.
Registrations& registrations() { return ProcessState<Registrations, StateId::kAllocators>::get(); }

void check_complete(const Allocator& allocator) {
  const auto require = [](bool there, const char* what) {
    check(there, Code::kInvalidParam, "The description of the allocator has no {}.", what);
  };
  require(allocator.object != nullptr, "object");
  require(allocator.allocate != nullptr, "function that allocates");
  require(allocator.free != nullptr, "function that frees");
  require(allocator.address_of != nullptr, "function that tells the address of a block");
}

}  // namespace

AllocatorHandles& allocator_handles() { return ProcessState<AllocatorHandles, StateId::kAllocatorHandles>::get(); }

void register_allocator(const StreamPtr& stream, const RegisteredAllocator& registered) {
  check_complete(registered.allocator);
  const LockGuard lock(registrations().mutex);
  registrations().remove_ended_streams();
  registrations().by_stream[stream] = registered;
}

RegisteredAllocator allocator_of(const StreamPtr& stream) {
  const LockGuard lock(registrations().mutex);
  const auto it = registrations().by_stream.find(stream);
  check(it != registrations().by_stream.end(), Code::kInvalidParam, "Stream {} has no allocator.", stream->id);
  return it->second;
}

void unregister_allocator(const StreamPtr& stream) {
  const LockGuard lock(registrations().mutex);
  registrations().by_stream.erase(stream);
}

}  // namespace aclvk::runtime
