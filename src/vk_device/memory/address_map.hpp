#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace aclvk::vk {

/// Maps disjoint address ranges to values, and finds the range that contains an address. Used by DeviceMemory to turn a
/// pointer into a buffer range. Not thread safe: the owner locks.
template <typename Value>
class AddressMap {
 public:
  struct Entry {
    std::uint64_t start;
    std::uint64_t size;
    Value value;
  };

  /// Returns the range that contains the address, or null.
  const Entry* find(std::uint64_t address) const {
    auto it = entries_.upper_bound(address);
    if (it == entries_.begin()) return nullptr;
    --it;
    return address - it->first < it->second.size ? &it->second : nullptr;
  }

  /// Returns whether [start, start + size) has a byte in common with a stored range.
  bool overlaps(std::uint64_t start, std::uint64_t size) const {
    if (find(start)) return true;
    const auto next = entries_.lower_bound(start);
    return next != entries_.end() && next->first - start < size;
  }

  /// Returns false and changes nothing when the range overlaps another.
  bool insert(std::uint64_t start, std::uint64_t size, Value value) {
    if (overlaps(start, size)) return false;
    entries_.emplace(start, Entry{start, size, std::move(value)});
    return true;
  }

  /// Removes and returns the value of the range that starts exactly at `start`.
  std::optional<Value> remove(std::uint64_t start) {
    const auto it = entries_.find(start);
    if (it == entries_.end()) return std::nullopt;
    std::optional<Value> value(std::move(it->second.value));
    entries_.erase(it);
    return value;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [start, entry] : entries_) visit(entry);
  }

 private:
  std::map<std::uint64_t, Entry> entries_;
};

}  // namespace aclvk::vk
