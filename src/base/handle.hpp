#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/at_fork_lock.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/shared_spin_lock.hpp"

namespace aclvk {

/// The type of the object that a public handle names. It is part of the handle's bits, so that a stream passed as an
/// event is detected.
enum class HandleTag : std::uint8_t {
  kContext = 1,
  kStream,
  kEvent,
  kNotify,
  kModel,
  kTaskGroup,
  kTask,
  kConditional,
  kTensor,
  kScalar,
  kIntArray,
  kFloatArray,
  kBoolArray,
  kTensorList,
  kScalarList,
  kExecutor,
  kDataBuffer,
  kTensorDesc,
  kModelStream,
  kFunction,
  kLabel,
  kLabelList,
  kMemPool,
  kAllocatorDesc,
  kBinary,
  kBinaryBytes,
  kKernelArguments,
  kKernelParameter,
  kProgram,
  kProfileConfig,
  kProfileSubscription,
  kProfileStep,
  kProfileStamp,
  kMessageBuffer,
  kQueueAttributes,
  kQueueRoute,
  kQueueRouteList,
  kQueueRouteQuery,
  kDataItem,
  kDataset,
  kChannel,
  kGroupInfo,
  kCountNotify,
  kPhysicalMemory,
  kCommunicator,
};

/// A table of live objects of one type. A public handle is not an address but
///
///     63..56 0xAC | 55..48 tag | 47..24 generation of the slot | 23..0 slot
///
/// so a look-up detects a stale, foreign or garbage handle without dereferencing it. The number is not a canonical
/// address on x86-64 or AArch64: a program that dereferences a handle faults at once. The table owns its objects. A
/// look-up costs a shared lock and a reference count. Thread safe.
template <typename T, HandleTag kTag>
class HandleTable {
 public:
  /// Adds an object and returns its handle.
  void* insert(std::shared_ptr<T> object) {
    const LockGuard lock(mutex_);
    if (free_.empty()) add_slot();
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Slot& slot = slots_[index];
    slot.object = std::move(object);
    return pack(slot.generation, index);
  }

  /// Returns the object, or null when the handle is not live in this table.
  std::shared_ptr<T> find(const void* handle) const {
    const SharedLock lock(mutex_);
    const Slot* slot = slot_of(handle);
    return slot ? slot->object : nullptr;
  }

  /// Replaces the object of a handle; does nothing when the handle is not live.
  void replace(const void* handle, std::shared_ptr<T> object) {
    const LockGuard lock(mutex_);
    if (auto* slot = const_cast<Slot*>(slot_of(handle))) slot->object.swap(object);
  }

  /// Removes and returns the object; the handle becomes stale. Returns null when the handle is not live.
  std::shared_ptr<T> remove(const void* handle) {
    const LockGuard lock(mutex_);
    return slot_of(handle) ? remove_live(handle) : nullptr;
  }

  /// Returns the object, or null when the handle is not live; removes it if `should_remove(object)`.
  template <typename Predicate>
  std::shared_ptr<T> find_or_remove(const void* handle, Predicate&& should_remove) {
    const LockGuard lock(mutex_);
    const Slot* slot = slot_of(handle);
    if (!slot || !should_remove(*slot->object)) return slot ? slot->object : nullptr;
    return remove_live(handle);
  }

  /// Returns the number of live objects.
  std::size_t size() const {
    const SharedLock lock(mutex_);
    return slots_.size() - free_.size();
  }

  /// Returns all live objects.
  std::vector<std::shared_ptr<T>> all() const {
    const SharedLock lock(mutex_);
    std::vector<std::shared_ptr<T>> objects;
    for (const Slot& slot : slots_) {
      if (slot.object) objects.push_back(slot.object);
    }
    return objects;
  }

 private:
  static constexpr std::uint64_t kMagic = 0xAC;
  static constexpr std::uint64_t kIndexMask = 0xFFFFFF;
  static constexpr std::uint32_t kGenerationMask = 0xFFFFFF;

  struct Slot {
    std::shared_ptr<T> object;     // null while the slot is free
    std::uint32_t generation = 1;  // incremented by each removal, so that old handles no longer match; wraps at 24 bits
  };

  // Reserves an entry of the free list for each slot, so that remove() allocates no memory.
  void add_slot() REQUIRES(mutex_) {
    check(slots_.size() <= kIndexMask, Code::kMemoryAllocation,
          "{} objects of one type are alive; handles have 24 bits for their number.", slots_.size());
    if (free_.capacity() <= slots_.size()) free_.reserve(2 * slots_.size() + 8);
    slots_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
  }

  // Requires a live handle.
  std::shared_ptr<T> remove_live(const void* handle) REQUIRES(mutex_) {
    const std::uint64_t index = bits(handle) & kIndexMask;
    Slot& slot = slots_[index];
    slot.generation = (slot.generation + 1) & kGenerationMask;
    free_.push_back(static_cast<std::uint32_t>(index));
    return std::exchange(slot.object, nullptr);
  }

  static std::uint64_t bits(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

  static void* pack(std::uint32_t generation, std::uint32_t index) {
    const std::uint64_t value =
        kMagic << 56 | static_cast<std::uint64_t>(kTag) << 48 | static_cast<std::uint64_t>(generation) << 24 | index;
    return reinterpret_cast<void*>(value);
  }

  // Returns the slot of a live handle, else null.
  const Slot* slot_of(const void* handle) const REQUIRES_SHARED(mutex_) {
    const std::uint64_t value = bits(handle);
    if (value >> 48 != (kMagic << 8 | static_cast<std::uint64_t>(kTag))) return nullptr;
    const std::uint64_t index = value & kIndexMask;
    if (index >= slots_.size()) return nullptr;
    const Slot& slot = slots_[index];
    return slot.object && slot.generation == (value >> 24 & kGenerationMask) ? &slot : nullptr;
  }

  mutable SharedSpinLock mutex_;
  AtForkLock held_{mutex_};
  std::vector<Slot> slots_ GUARDED_BY(mutex_);
  std::vector<std::uint32_t> free_ GUARDED_BY(mutex_);  // indices of free slots, the last one is reused first
};

}  // namespace aclvk
