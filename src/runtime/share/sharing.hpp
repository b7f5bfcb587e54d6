#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file.hpp"

namespace aclvk::runtime {

// Transfer of memory and signals between processes (docs/adr/0017): the owner offers a file descriptor under a key,
// which programs pass on by themselves. A process that has the key requests the descriptor from the owner over a Unix
// socket, and gets it if it belongs to the same user and the owner allows it. Thread safe.

enum class SharedKind : std::uint32_t { kMemory = 1, kPhysicalMemory, kEvent, kNotify };

/// Identifies an offer in all processes. The upper half of the number is the pid of the owner. The secret makes keys
/// unguessable; keys that the interface defines as a plain number have none.
struct ShareKey {
  static constexpr std::size_t kTextSize = 64;

  std::uint64_t number = 0;
  std::array<std::uint8_t, 24> secret{};

  pid_t process() const { return static_cast<pid_t>(number >> 32); }
  bool own() const;
  /// Returns the key as kTextSize hexadecimal digits.
  std::string text() const;
  /// Parses kTextSize characters. Throws kParamInvalid for a text that text() does not write.
  static ShareKey parse(const char* text);

  bool operator==(const ShareKey& other) const { return number == other.number && secret == other.secret; }
};

/// Numbers that accompany the file: sizes, memory type, UUID of the device.
using ShareMetadata = std::array<std::uint64_t, 12>;

/// A file descriptor that other processes may request.
struct Offer {
  SharedKind kind = SharedKind::kMemory;
  File file;
  ShareMetadata metadata{};
  bool to_all = false;          ///< true for all processes of the user, false for those that allow() names
  bool plain_number = false;    ///< true for a key without a secret
  std::function<bool()> valid;  ///< called before each transfer; null for an offer that stays valid
};

ShareKey offer(Offer offer);
/// Ends an offer of this process. Descriptors that have been transferred stay valid. Returns false without such an
/// offer.
bool withdraw(const ShareKey& key);
/// Allows processes to take an offer. Throws kParamInvalid when this process offers nothing of the kind under the key.
void allow(SharedKind kind, const ShareKey& key, const std::vector<pid_t>& processes);

/// The file descriptor of an offer of another process.
struct Taken {
  File file;
  ShareMetadata metadata{};
};
/// Requests an offer from its owner. Throws kParamInvalid for a key of this process, an unknown key, an owner that has
/// ended, and an owner that does not allow this process.
Taken take(SharedKind kind, const ShareKey& key);

}  // namespace aclvk::runtime
