#pragma once

#include <cstddef>
#include <cstdint>

#include "base/inline_vector.hpp"
#include "ops/tensor_slots.hpp"

namespace aclvk::ops {

/// The parameters of a call that stand for tensors, as programs count them when they set addresses: in the order of the
/// signature, which need not be that of the executor's operands.
class TensorNumbers {
 public:
  static constexpr std::int32_t kNone = -1;

  struct Parameter {
    const char* name = nullptr;   ///< a string literal
    const void* first = nullptr;  ///< the tensor, or the first one of a list
    std::size_t members = 0;      ///< 0 for NULL, 1 for a tensor
    bool is_const = false;        ///< as the header declares it
    bool is_updated = false;      ///< read and written in place
    std::int32_t input = kNone;   ///< the executor's slot that reads it
    std::int32_t output = kNone;  ///< the one that writes it

    bool counts_as_input() const { return is_updated || input != kNone || (is_const && output == kNone); }
    bool counts_as_output() const { return is_updated || output != kNone || !is_const; }
  };

  /// In the order of the signature.
  void add_tensor(const char* name, const void* handle, bool is_const);
  void add_list(const char* name, const void* handle, bool is_const);

  /// Finds each parameter among the operands of the executor.
  void match(const TensorSlots& inputs, const TensorSlots& outputs, const InlineVector<UpdatedSlots, 4>& updated);

  enum class Count {
    kInputs,   ///< inputs, those in place among them
    kOutputs,  ///< outputs, those in place among them
    kAll,      ///< all in the order of the signature, and then those in place again, as outputs
  };
  /// The parameter with this number; null when there are fewer.
  const Parameter* parameter(Count count, std::size_t number) const;
  /// A parameter, or null, and a place in its list.
  struct Member {
    const Parameter* parameter;
    std::size_t index;
  };
  /// The tensor with this number when members of lists are counted one by one. What is NULL counts once.
  Member member(Count count, std::size_t number) const;
  /// The name of the parameter with this slot; "a tensor" when nobody has told it.
  const char* name_of_slot(bool written, std::size_t slot) const;

 private:
  using Counted = InlineVector<const Parameter*, 8>;
  Counted counted(Count count) const;

  InlineVector<Parameter, 6> parameters_;
};

}  // namespace aclvk::ops
