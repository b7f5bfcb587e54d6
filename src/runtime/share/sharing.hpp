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

// How one process gets something from another (docs/adr/0017): the owner offers an open file under a key; whoever has
// the key asks the owner for it over a socket, and gets it if it is a process of the same user that the owner allows.
// The key is all that programs pass on. Thread safe.

enum class SharedKind : std::uint32_t { kMemory = 1, kPhysicalMemory, kEvent, kNotify };

/// Names an offer, in every process: the process in the upper half of the number. The secret keeps keys from being
/// guessed; a key that is a mere number has none.
struct ShareKey {
  static constexpr std::size_t kTextSize = 64;

  std::uint64_t number = 0;
  std::array<std::uint8_t, 24> secret{};

  pid_t process() const { return static_cast<pid_t>(number >> 32); }
  bool own() const;
  /// kTextSize characters, without an end.
  std::string text() const;
  /// Of kTextSize characters. Throws kParamInvalid for what text() does not write.
  static ShareKey parse(const char* text);

  bool operator==(const ShareKey& other) const { return number == other.number && secret == other.secret; }
};

/// What goes with the file: plain numbers that the taker needs.
using ShareMetadata = std::array<std::uint64_t, 12>;

struct Offer {
  SharedKind kind = SharedKind::kMemory;
  File file;
  ShareMetadata metadata{};
  bool to_all = false;          ///< to every process of the user; else only to those that are allowed
  bool plain_number = false;    ///< the key has no secret
  std::function<bool()> valid;  ///< asked before it is given away; null: as long as it is offered
};

ShareKey offer(Offer offer);
/// Ends an offer of this process; what has been taken stays. False when there is none under the key.
bool withdraw(const ShareKey& key);
/// Lets processes have it. Throws kParamInvalid when this process offers nothing of the kind under the key.
void allow(SharedKind kind, const ShareKey& key, const std::vector<pid_t>& processes);

struct Taken {
  File file;
  ShareMetadata metadata{};
};
/// What another process offers. Throws kParamInvalid for a key of this process, one that is unknown, an owner that has
/// ended, and one that does not allow this process.
Taken take(SharedKind kind, const ShareKey& key);

}  // namespace aclvk::runtime
