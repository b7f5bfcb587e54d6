#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/memory/address_source.hpp"
#include "vk_device/memory/memory.hpp"

namespace aclvk::vk {

class InFlight;

/// Manages reserved addresses separately from memory (docs/adr/0016): which ranges are reserved, which memory is mapped
/// in them, and which number each mapping has. The AddressSource reserves and allocates. Thread safe.
class AddressSpace {
 public:
  /// `reclaim` waits for the device and returns freed memory to the driver; it is called when an allocation fails,
  /// before the second attempt.
  AddressSpace(std::shared_ptr<AddressSource> source, std::shared_ptr<InFlight> in_flight,
               std::function<void()> reclaim);

  /// Returns the granularity of mappings: addresses and sizes are multiples of it. A power of two.
  std::uint64_t page() const { return source_->page(); }
  /// Returns true when the host can access mapped memory at the same addresses, and host memory can be mapped.
  bool host_accessible() const { return source_->host_accessible(); }

  /// Allocates memory to map; `bytes` is a multiple of page(). Throws kMemoryAllocation.
  std::shared_ptr<const Backing> allocate(std::uint64_t bytes);
  /// Imports memory that another process exported. Throws kParamInvalid when the file does not match `shared`.
  std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared);

  /// Reserves addresses, rounded up to 2 MiB, at a multiple of `alignment`, at `hint` where possible. Throws
  /// kMemoryAllocation.
  void* reserve(std::uint64_t bytes, std::uint64_t alignment, void* hint);
  /// Ends a reservation. Throws kParamInvalid when `start` is not the start of one, or memory is mapped in it.
  void release(void* start);

  /// Maps memory at an address. Throws kParamInvalid unless [at, at + bytes) is free and inside one reservation,
  /// kFeatureNotSupported for memory of another kind than the source's.
  void map(void* at, std::shared_ptr<const Backing> backing, Placement placement, bool usable);
  /// Waits for all submitted work, then unmaps. Throws kParamInvalid when `at` is not the start of a mapping.
  void unmap(void* at);
  /// Sets whether find() returns the mapping (aclrtMemSetAccess).
  void set_usable(void* at, bool usable);

  /// Do for mapped memory what the functions of Memory with the same names do. A range may span adjacent mappings.
  std::optional<BufferRange> find(const void* pointer, std::uint64_t bytes);
  std::optional<AllocationInfo> describe(const void* pointer) const;
  /// Returns the mappings with this placement, usable or not.
  std::vector<BufferRange> mapped(Placement placement);
  bool alive(const BufferRange& range) const;
  bool reserved(const void* pointer) const;
  /// Returns how many mappings have been unmapped or made unusable so far. While it stays the same, what was alive
  /// still is.
  std::uint64_t unmaps() const { return unmaps_; }

 private:
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<const Backing> backing;  // null while the memory is being mapped or unmapped
    Placement placement = Placement::kMapped;
    bool usable = true;
    std::uint64_t number = 0;  // becomes BufferRange::allocation
  };
  struct Reservation {
    std::map<std::uint64_t, Mapping> mappings;  // by start; declared first: addresses go before memory
    std::shared_ptr<AddressReservation> addresses;
  };
  using Reservations = std::map<std::uint64_t, Reservation>;

  const Reservation* reservation_of(std::uint64_t address) const REQUIRES_SHARED(mutex_);
  const Mapping* mapping_of(std::uint64_t address, std::uint64_t* start) const REQUIRES_SHARED(mutex_);
  std::uint64_t newest_mapping(std::uint64_t begin, std::uint64_t end) const REQUIRES_SHARED(mutex_);
  std::shared_ptr<AddressReservation> claim(std::uint64_t begin, std::uint64_t bytes) REQUIRES(mutex_);
  void erase_mapping(std::uint64_t at) EXCLUDES(mutex_);

  std::shared_ptr<AddressSource> source_;
  std::shared_ptr<InFlight> in_flight_;
  std::function<void()> reclaim_;
  mutable SharedMutex mutex_;
  Reservations reservations_ GUARDED_BY(mutex_);  // by start
  std::uint64_t last_mapping_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> unmaps_{0};
};

}  // namespace aclvk::vk
