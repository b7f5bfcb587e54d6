#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// aclrtMemcpy, aclrtMemset and their relatives, above "copy these bytes now" and "copy them in this stream": which
// arguments are refused, and in which order (runtime-semantics, 7.2; capture-semantics, 5 and 8). The kind of a copy is
// only a hint: where the addresses really are decides.

struct CopyArguments {
  void* dst = nullptr;
  std::uint64_t dst_max = 0;
  const void* src = nullptr;
  std::uint64_t bytes = 0;
  int kind = 0;
};

struct Copy2dArguments {
  void* dst = nullptr;
  std::uint64_t dst_pitch = 0;
  const void* src = nullptr;
  std::uint64_t src_pitch = 0;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  int kind = 0;
};

struct FillArguments {
  void* dst = nullptr;
  std::uint64_t dst_max = 0;
  int value = 0;  ///< the low byte counts
  std::uint64_t bytes = 0;
};

struct FillWordsArguments {
  void* dst = nullptr;
  std::uint64_t dst_max = 0;
  std::uint32_t value = 0;
  std::uint64_t words = 0;
};

// Each throws what the arguments alone show to be wrong, and answers false when there is nothing to do.

bool check_copy(const CopyArguments& copy);
bool check_copy_2d(const Copy2dArguments& copy);
bool check_fill(const FillArguments& fill);
bool check_fill_words(const FillWordsArguments& fill);

// Without a stream. Need a context.

void copy_synchronously(const CopyArguments& copy);
void copy_2d_synchronously(const Copy2dArguments& copy);
void fill_synchronously(const FillArguments& fill);
void fill_words_synchronously(const FillWordsArguments& fill);

// In a stream. With pageable host memory a copy waits for the stream and is complete on return; a fill of host memory
// runs at once in the calling thread.

/// The stream is captured or inside a task update, and cannot be waited for. One that is bound to a model stores tasks
/// too, but does copies of pageable memory right away.
bool stores_copies(const Stream& stream);
void copy_in_stream(Stream& stream, const CopyArguments& copy);
void copy_2d_in_stream(Stream& stream, const Copy2dArguments& copy);
void fill_in_stream(Stream& stream, const FillArguments& fill);
void fill_words_in_stream(Stream& stream, const FillWordsArguments& fill);

}  // namespace aclvk::runtime
