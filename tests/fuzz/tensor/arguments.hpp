#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "aclnn/aclnn_base.h"
#include "bytes.hpp"
#include "tensor/arena.hpp"

namespace aclvk::fuzz {

/// Makes the arguments of an operator out of bytes. Most tensors of a case have shapes and dtypes that go together,
/// because operators refuse all others; the rest are anything at all.
class Arguments {
 public:
  /// `written` has a bit for each parameter that is const and written all the same.
  Arguments(Bytes& bytes, const Arena& arena, std::uint64_t written);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  /// What is asked for next is of the next parameter.
  void next() { ++parameter_; }

  const aclTensor* input();
  aclTensor* output();
  const aclTensorList* input_list();
  aclTensorList* output_list();
  aclScalar* scalar();
  aclScalarList* scalar_list();
  aclIntArray* ints();
  aclBoolArray* bools();
  aclFloatArray* floats();
  const char* text();
  std::int64_t integer();
  double number();
  bool flag() { return bytes_.byte() % 2 == 1; }
  aclDataType dtype() { return static_cast<aclDataType>(pick_dtype()); }

  /// What the operator may write.
  const std::vector<View>& outputs() const { return outputs_; }
  /// No argument is extreme: running the operator takes no longer than its tensors are large.
  bool modest() const { return modest_; }

 private:
  using Shape = std::vector<std::int64_t>;

  aclTensor* tensor(bool written);
  aclTensor* owned_tensor(bool written);
  std::vector<aclTensor*> members(bool written);
  aclTensorList* list(bool is_written);
  Shape pick_shape();
  std::int64_t extreme();
  int pick_dtype();
  void pick_strides(View& view);
  void pick_address(View& view);

  bool written() const { return parameter_ < 64 && (written_ >> parameter_ & 1) != 0; }

  Bytes& bytes_;
  const Arena& arena_;
  const std::uint64_t written_;
  std::size_t parameter_ = 0;
  Shape base_;
  int base_dtype_;
  std::vector<View> outputs_;
  std::size_t tensors_ = 0;
  std::vector<std::function<void()>> destroyers_;
  bool modest_ = true;
};

/// The argument for a parameter of type T.
template <typename T>
T argument(Arguments& from) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Plain, const aclTensor*>) {
    return from.input();
  } else if constexpr (std::is_same_v<Plain, aclTensor*>) {
    return from.output();
  } else if constexpr (std::is_same_v<Plain, const aclTensorList*>) {
    return from.input_list();
  } else if constexpr (std::is_same_v<Plain, aclTensorList*>) {
    return from.output_list();
  } else if constexpr (std::is_same_v<Plain, const aclScalar*> || std::is_same_v<Plain, aclScalar*>) {
    return from.scalar();
  } else if constexpr (std::is_same_v<Plain, const aclScalarList*>) {
    return from.scalar_list();
  } else if constexpr (std::is_same_v<Plain, const aclIntArray*> || std::is_same_v<Plain, aclIntArray*>) {
    return from.ints();
  } else if constexpr (std::is_same_v<Plain, const aclBoolArray*>) {
    return from.bools();
  } else if constexpr (std::is_same_v<Plain, const aclFloatArray*> || std::is_same_v<Plain, aclFloatArray*>) {
    return from.floats();
  } else if constexpr (std::is_same_v<Plain, const char*> || std::is_same_v<Plain, char*>) {
    return const_cast<Plain>(from.text());
  } else if constexpr (std::is_same_v<Plain, aclDataType>) {
    return from.dtype();
  } else if constexpr (std::is_same_v<Plain, bool>) {
    return from.flag();
  } else if constexpr (std::is_floating_point_v<Plain>) {
    return static_cast<Plain>(from.number());
  } else {
    static_assert(std::is_integral_v<Plain>, "A kind of parameter that no operator had before.");
    return static_cast<Plain>(from.integer());
  }
}

}  // namespace aclvk::fuzz
