#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// aclrtMemcpy, aclrtMemset and their variants: the checks of their arguments in the documented order
// (runtime-semantics, 7.2; capture-semantics, 5 and 8), and the choice between a task of the stream and a blocking
// copy. The kind of a copy is only a hint; the locations of the addresses decide.

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
  int value = 0;  ///< only the low byte is used
  std::uint64_t bytes = 0;
};

struct FillWordsArguments {
  void* dst = nullptr;
  std::uint64_t dst_max = 0;
  std::uint32_t value = 0;
  std::uint64_t words = 0;
};

// Checks that need only the arguments. Throw for wrong ones; return false when there is nothing to do.

bool check_copy(const CopyArguments& copy);
bool check_copy_2d(const Copy2dArguments& copy);
bool check_fill(const FillArguments& fill);
bool check_fill_words(const FillWordsArguments& fill);

// Blocking, without a stream. Require a context.

void copy_synchronously(const CopyArguments& copy);
void copy_2d_synchronously(const Copy2dArguments& copy);
void fill_synchronously(const FillArguments& fill);
void fill_words_synchronously(const FillWordsArguments& fill);

// In a stream. A copy from or to pageable host memory first synchronises the stream and is complete on return. A fill
// of host memory runs at once in the calling thread.

/// Returns whether the stream is captured or inside a task update, so that it cannot be synchronised. False for a
/// stream that is bound to a model, although it stores tasks: there copies of pageable memory run at once.
bool stores_copies(const Stream& stream);
void copy_in_stream(Stream& stream, const CopyArguments& copy);
void copy_2d_in_stream(Stream& stream, const Copy2dArguments& copy);
void fill_in_stream(Stream& stream, const FillArguments& fill);
void fill_words_in_stream(Stream& stream, const FillWordsArguments& fill);

}  // namespace aclvk::runtime
