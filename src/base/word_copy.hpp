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

/// Copies bytes that may overlap. A word of 4 or 8 bytes at a multiple of its size is copied as a whole: programs write
/// words that a stream is waiting for, and the watcher reads them meanwhile.
inline void copy_host_bytes(void* dst, const void* src, std::size_t bytes) {
  if (bytes == sizeof(std::uint64_t)) return detail::copy_word<std::uint64_t>(dst, src);
  if (bytes == sizeof(std::uint32_t)) return detail::copy_word<std::uint32_t>(dst, src);
  std::memmove(dst, src, bytes);
}

}  // namespace aclvk
