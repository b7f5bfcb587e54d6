#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ops/kernel/word.hpp"

namespace aclvk::ops {

// Structs of the lists in shaders/<stem>.args.h, from which the shader declares its arguments and specialization
// constants (shaders/common/declare.glsl). Fields have the names of the shader, so the order of assignments does not
// matter; a field that is not assigned is 0.

/// The unsigned type of GLSL.
using uint = std::uint32_t;

/// Tags of the structs that ARGUMENT_STRUCT and CONSTANT_STRUCT declare. They are not bases, because an array of
/// structs at the start of a block would then have padding before it.
struct ArgumentBlock {};
struct ConstantBlock {};

/// The bits of a 4-byte value, or 1 for true: a specialization constant.
template <typename T>
std::uint32_t constant_word(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else {
    static_assert(sizeof(T) == sizeof(std::uint32_t));
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    return word;
  }
}

/// Appends the values of specialization constants to `call.constants`: a StridedCall, a RowCall, a kernel.
template <typename Call, typename Constants>
void add_constants(Call& call, const Constants& constants) {
  static_assert(std::is_same_v<typename Constants::Block, ConstantBlock>,
                "CONSTANT_STRUCT declares specialization constants.");
  call.constants.reserve(call.constants.size() + Constants::kCount);
  constants.append_to(call.constants);
}

/// Appends arguments to words or bytes.
template <typename Block, typename Arguments>
void append_arguments(Block& block, const Arguments& arguments) {
  static_assert(std::is_same_v<typename Arguments::Block, ArgumentBlock>, "ARGUMENT_STRUCT declares arguments.");
  const std::size_t size = block.size();
  block.resize(size + sizeof(Arguments) / sizeof(typename Block::value_type));
  std::memcpy(block.data() + size, &arguments, sizeof(Arguments));
}

/// Appends arguments to `call.arguments`.
template <typename Call, typename Arguments>
void add_arguments(Call& call, const Arguments& arguments) {
  append_arguments(call.arguments, arguments);
}

/// Replaces the constants of a call that is used several times.
template <typename Call, typename Constants>
void set_constants(Call& call, const Constants& constants) {
  call.constants.clear();
  add_constants(call, constants);
}

/// Replaces the arguments.
template <typename Call, typename Arguments>
void set_arguments(Call& call, const Arguments& arguments) {
  call.arguments.clear();
  add_arguments(call, arguments);
}

/// Copies values, such as the strides of some dims, to an array argument; the others stay 0.
template <std::size_t kCount, typename Values>
void assign_words(std::array<uint, kCount>& words, const Values& values) {
  std::size_t i = 0;
  for (const std::int64_t value : values) words[i++] = word(value);
}

#define ACLVK_ARGUMENT(type, name) type name{};
#define ACLVK_ARGUMENT_ARRAY(type, name, count) std::array<type, count> name{};
#define ACLVK_ARGUMENT_BYTES(type, name) +sizeof(type)
#define ACLVK_ARGUMENT_ARRAY_BYTES(type, name, count) +sizeof(type) * (count)

/// Declares the struct of a list of arguments. All its parts have 4 bytes, so that it has no padding and each offset is
/// that of std430.
#define ARGUMENT_STRUCT(Name, LIST)                                                                         \
  struct Name {                                                                                             \
    using Block = ::aclvk::ops::ArgumentBlock;                                                              \
    LIST(ACLVK_ARGUMENT, ACLVK_ARGUMENT_ARRAY)                                                              \
  };                                                                                                        \
  static_assert(sizeof(Name) == LIST(ACLVK_ARGUMENT_BYTES, ACLVK_ARGUMENT_ARRAY_BYTES), "It has padding."); \
  static_assert(alignof(Name) == 4 && std::is_trivially_copyable_v<Name>)

#define ACLVK_CONSTANT_MEMBER(number, type, name, otherwise) type name{};
#define ACLVK_CONSTANT_NUMBER(number, type, name, otherwise) number_of_##name,
#define ACLVK_CONSTANT_CHECK(number, type, name, otherwise) \
  static_assert(number_of_##name == (number), "Numbers of constants follow one another.");
#define ACLVK_CONSTANT_APPEND(number, type, name, otherwise) words.push_back(::aclvk::ops::constant_word(name));
#define ACLVK_SIZE_MEMBER(number) ACLVK_CONSTANT_MEMBER(number, ::aclvk::ops::uint, local_size, 1)
#define ACLVK_SIZE_NUMBER(number) ACLVK_CONSTANT_NUMBER(number, ::aclvk::ops::uint, local_size, 1)
#define ACLVK_SIZE_CHECK(number) ACLVK_CONSTANT_CHECK(number, ::aclvk::ops::uint, local_size, 1)
#define ACLVK_SIZE_APPEND(number) ACLVK_CONSTANT_APPEND(number, ::aclvk::ops::uint, local_size, 1)

/// Declares the struct of a list of specialization constants, and in it the number_of_kName of each. LOCAL_SIZE is the
/// field `local_size`.
#define CONSTANT_STRUCT(Name, LIST)                                               \
  struct Name {                                                                   \
    using Block = ::aclvk::ops::ConstantBlock;                                    \
    LIST(ACLVK_CONSTANT_MEMBER, ACLVK_SIZE_MEMBER)                                \
    enum : std::size_t { LIST(ACLVK_CONSTANT_NUMBER, ACLVK_SIZE_NUMBER) kCount }; \
    LIST(ACLVK_CONSTANT_CHECK, ACLVK_SIZE_CHECK)                                  \
    template <typename Words>                                                     \
    void append_to(Words& words) const {                                          \
      LIST(ACLVK_CONSTANT_APPEND, ACLVK_SIZE_APPEND)                              \
    }                                                                             \
  }

}  // namespace aclvk::ops
