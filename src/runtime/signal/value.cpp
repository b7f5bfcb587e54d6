#include "runtime/signal/value.hpp"

#include "base/error.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {

void check_word(const void* word) {
  const Location::Kind kind = locate(word).kind;
  check(kind == Location::Kind::kDevice, Code::kParamInvalid, "devAddr {} is {}; expected device memory.", word,
        name_of(kind));
  check(reinterpret_cast<std::uintptr_t>(word) % 8 == 0, Code::kParamInvalid, "devAddr {} is not a multiple of 8.",
        word);
}

Comparison comparison_of(std::uint32_t flag) {
  constexpr auto kLast = static_cast<std::uint32_t>(Comparison::kNor);
  check(flag <= kLast, Code::kParamInvalid, "flag is {}; one of GEQ 0, EQ 1, AND 2 and NOR {} is expected.", flag,
        kLast);
  return static_cast<Comparison>(flag);
}

void write_value(Stream& stream, void* word, std::uint64_t value, std::uint32_t flag) {
  check(flag == 0, Code::kParamInvalid, "flag is {}; 0 is expected.", flag);
  check_word(word);
  stream.accept(ValueWriteTask{stream.resolve(word, 8, "Word"), value});
}

void wait_value(Stream& stream, void* word, std::uint64_t value, std::uint32_t flag) {
  const Comparison comparison = comparison_of(flag);
  check_word(word);
  stream.accept(ValueWaitTask{stream.resolve(word, 8, "Word"), value, comparison});
}

}  // namespace aclvk::runtime
