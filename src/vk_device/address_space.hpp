#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "vk_device/address_source.hpp"
#include "vk_device/memory.hpp"

namespace aclvk::vk {

class InFlight;

/// Addresses apart from memory (docs/adr/0016): which are reserved, and what is mapped there. How both are made is the
/// source's. Thread safe.
class AddressSpace {
 public:
  /// `reclaim` gives memory back to the driver that is freed already; called before an allocation fails.
  AddressSpace(std::shared_ptr<AddressSource> source, std::shared_ptr<InFlight> in_flight,
               std::function<void()> reclaim);

  /// What places and sizes of mappings are multiples of; a power of two.
  std::uint64_t page() const { return source_->page(); }
  /// The host finds mapped memory at the same addresses, and its own memory can be mapped.
  bool host_accessible() const { return source_->host_accessible(); }

  /// Memory to map, of whole pages. Throws kMemoryAllocation.
  std::shared_ptr<const Backing> allocate(std::uint64_t bytes);
  /// Memory of another process. Throws kParamInvalid when the file is not what it should be.
  std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared);

  /// Addresses of whole units of 2 MiB, at a multiple of `alignment`, at `wish` if that can be. Throws
  /// kMemoryAllocation.
  void* reserve(std::uint64_t bytes, std::uint64_t alignment, void* hint);
  /// Throws kParamInvalid for what is not the start of a reservation, or while something is mapped there.
  void release(void* start);

  /// Puts memory at an address. Throws kParamInvalid when [at, at + bytes) is not free and inside one reservation,
  /// kFeatureNotSupported for memory of another kind than the source's.
  void map(void* at, std::shared_ptr<const Backing> backing, Placement placement, bool usable);
  /// Waits for what has been submitted, then takes the memory away. Throws kParamInvalid for what is no start of a
  /// mapping.
  void unmap(void* at);
  /// Whether find() finds a mapping.
  void set_usable(void* at, bool usable);

  /// As those of Memory, for what is mapped; a range may span mappings that follow each other.
  std::optional<BufferRange> find(const void* pointer, std::uint64_t bytes);
  std::optional<AllocationInfo> describe(const void* pointer) const;
  /// The mappings of that placement, usable or not.
  std::vector<BufferRange> mapped(Placement placement);
  bool alive(const BufferRange& range) const;
  bool reserved(const void* pointer) const;
  /// How often find() has stopped finding a mapping.
  std::uint64_t unmaps() const { return unmaps_; }

 private:
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<const Backing> backing;  // null while it is being mapped or unmapped
    Placement placement = Placement::kMapped;
    bool usable = true;
    std::uint64_t number = 0;  // as BufferRange::allocation
  };
  struct Reservation {
    std::map<std::uint64_t, Mapping> mappings;  // by start; what they keep goes after the addresses
    std::shared_ptr<AddressReservation> addresses;
  };
  using Reservations = std::map<std::uint64_t, Reservation>;

  const Reservation* reservation_of(std::uint64_t address) const;
  const Mapping* mapping_of(std::uint64_t address, std::uint64_t* start) const;
  std::uint64_t newest_mapping(std::uint64_t begin, std::uint64_t end) const;
  std::shared_ptr<AddressReservation> claim(std::uint64_t begin, std::uint64_t bytes);
  void erase_mapping(std::uint64_t at);

  std::shared_ptr<AddressSource> source_;
  std::shared_ptr<InFlight> in_flight_;
  std::function<void()> reclaim_;
  mutable std::shared_mutex mutex_;
  Reservations reservations_;  // by start
  std::uint64_t last_mapping_;
  std::atomic<std::uint64_t> unmaps_{0};
};

}  // namespace aclvk::vk
