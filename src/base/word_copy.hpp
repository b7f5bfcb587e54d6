#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aclvk {
namespace detail {

template <typename Word>
bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(Word) == 0;
}

template <typename Word>
void copy_word(void* dst, const void* src) {
  Word word;
  if (aligned<Word>(src)) {
    word = __atomic_load_n(static_cast<const Word*>(src), __ATOMIC_ACQUIRE);
  } else {
    std::memcpy(&word, src, sizeof(word));
  }
  if (aligned<Word>(dst)) {
    __atomic_store_n(static_cast<Word*>(dst), word, __ATOMIC_RELEASE);
  } else {
    std::memcpy(dst, &word, sizeof(word));
  }
}

}  // namespace detail

/// Copies bytes like memmove. Loads and stores an aligned word of 4 or 8 bytes atomically: programs copy into words
/// that a stream waits for, and the watcher thread reads them concurrently.
inline void copy_host_bytes(void* dst, const void* src, std::size_t bytes) {
  if (bytes == sizeof(std::uint64_t)) return detail::copy_word<std::uint64_t>(dst, src);
  if (bytes == sizeof(std::uint32_t)) return detail::copy_word<std::uint32_t>(dst, src);
  std::memmove(dst, src, bytes);
}

}  // namespace aclvk
