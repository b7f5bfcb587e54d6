#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "vk_device/memory.hpp"
#include "vk_device/pages.hpp"

namespace aclvk::vk {

class Gpu;
class InFlight;

/// Addresses apart from memory, on drivers whose device addresses are the host's (docs/adr/0016): a reservation is
/// address space of the process, a mapping puts pages there, and the GPU sees both through imports of host memory,
/// which are made of addresses, so that one kernel may work on several mappings side by side. Thread safe.
class AddressSpace {
 public:
  AddressSpace(std::shared_ptr<const Gpu> gpu, std::shared_ptr<InFlight> in_flight);

  /// Address space of whole units of 2 MiB, at a multiple of `alignment`, at `wish` if that is free. Throws
  /// kMemoryAllocation.
  void* reserve(std::uint64_t bytes, std::uint64_t alignment, void* wish);
  /// Throws kParamInvalid for what is not the start of a reservation, or while something is mapped there.
  void release(void* start);

  /// Puts the pages at an address. Throws kParamInvalid when [at, at + bytes) is not free and inside one reservation.
  void map(void* at, std::shared_ptr<const Pages> pages, Placement placement, bool usable);
  /// Waits for what has been submitted, then takes the pages away. Throws kParamInvalid for what is no start of a
  /// mapping.
  void unmap(void* at);
  /// Whether find() finds a mapping.
  void set_usable(void* at, bool usable);

  /// As those of Memory, for what is mapped; a range may span mappings that follow each other.
  std::optional<BufferRange> find(const void* pointer, std::uint64_t bytes);
  std::optional<AllocationInfo> describe(const void* pointer) const;
  /// Start and size of each usable mapping of that placement.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> mapped(Placement placement) const;
  bool alive(const BufferRange& range) const;
  bool reserved(const void* pointer) const;
  std::uint64_t unmaps() const { return unmaps_; }

 private:
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<const Pages> pages;  // null while it is being unmapped
    Placement placement = Placement::kMapped;
    bool usable = true;
    std::uint64_t number = 0;  // as BufferRange::allocation
  };
  class Addresses;  // the address space itself; buffers keep it
  struct Reservation {
    std::shared_ptr<Addresses> addresses;
    std::uint64_t bytes = 0;
    std::map<std::uint64_t, Mapping> mappings;     // by start
    std::vector<std::shared_ptr<Buffer>> windows;  // through which the GPU sees it
  };
  using Reservations = std::map<std::uint64_t, Reservation>;

  const Reservation* reservation_of(std::uint64_t address) const;
  const Mapping* mapping_of(std::uint64_t address, std::uint64_t* start) const;
  std::uint64_t newest_mapping(std::uint64_t begin, std::uint64_t end) const;
  std::shared_ptr<Buffer> add_window(Reservation& reservation, std::uint64_t begin, std::uint64_t end);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<InFlight> in_flight_;
  mutable std::shared_mutex mutex_;
  Reservations reservations_;  // by start
  std::uint64_t last_mapping_;
  std::atomic<std::uint64_t> unmaps_{0};
};

}  // namespace aclvk::vk
