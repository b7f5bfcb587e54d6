#pragma once

#include <cstddef>
#include <cstdint>

#include "base/inline_vector.hpp"
#include "ops/tensor/tensor_slots.hpp"

namespace aclvk::ops {

/// The tensor parameters of a call, numbered as aclSetInputTensorAddr and its relatives count them: in the order of the
/// signature, which may differ from that of the executor's operands.
class TensorNumbers {
 public:
  static constexpr std::int32_t kNone = -1;

  struct Parameter {
    const char* name = nullptr;   ///< a string literal
    const void* first = nullptr;  ///< the handle of the tensor, or of the first one of a list
    std::size_t members = 0;      ///< 0 for NULL, 1 for a tensor
    bool is_const = false;        ///< as the header declares it
    bool is_updated = false;      ///< read and written in place
    std::int32_t input = kNone;   ///< the executor's input slot
    std::int32_t output = kNone;  ///< the executor's output slot

    bool counts_as_input() const { return is_updated || input != kNone || (is_const && output == kNone); }
    bool counts_as_output() const { return is_updated || output != kNone || !is_const; }
  };

  /// Both add the next parameter of the signature. The handle is only compared.
  void add_tensor(const char* name, const void* handle, bool is_const);
  void add_list(const char* name, const void* handle, bool is_const);

  /// Assigns the executor's slots to the parameters, by handle.
  void match(const TensorSlots& inputs, const TensorSlots& outputs, const InlineVector<UpdatedSlots, 4>& updated);

  enum class Count {
    kInputs,   ///< inputs, including parameters that are updated in place
    kOutputs,  ///< outputs, including parameters that are updated in place
    kAll,      ///< all in the order of the signature, then those that are updated in place a second time, as outputs
  };
  /// Returns the parameter with this number; null when there is none.
  const Parameter* parameter(Count count, std::size_t number) const;
  /// A parameter, which may be null, and an index in its list.
  struct Member {
    const Parameter* parameter;
    std::size_t index;
  };
  /// Returns the tensor with this number when each member of a list counts. A NULL parameter counts once.
  Member member(Count count, std::size_t number) const;
  /// The name of the parameter with this slot; "a tensor" when no parameter has it.
  const char* name_of_slot(bool written, std::size_t slot) const;

 private:
  using Counted = InlineVector<const Parameter*, 8>;
  Counted counted(Count count) const;

  InlineVector<Parameter, 6> parameters_;
};

}  // namespace aclvk::ops
