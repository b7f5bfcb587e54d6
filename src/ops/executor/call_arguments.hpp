#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ops/executor/args.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

class TensorNumbers;
class TensorSlots;

/// The arguments of an operator's first phase as a dump shows them: every parameter by name, in order. Handles that are
/// NULL or stale become null.
class CallArguments {
 public:
  struct Argument {
    std::string name;
    std::string kind;            ///< "tensor", "tensor list", "scalar", "int array", "bool", "string", ...
    std::string value = "null";  ///< JSON; unused for tensors
    bool written = false;        ///< declared as an output
    bool stands_for_tensors = false;
    std::vector<Tensor> tensors{};
    std::optional<std::size_t> input{};   ///< the executor's input slot
    std::optional<std::size_t> output{};  ///< the executor's output slot
  };

  // A handle is only a key of a table here: that of tensors, or that of lists.

  void add_tensor(const char* name, const void* handle, bool written);
  void add_tensor_list(const char* name, const void* handle, bool written);
  void add_scalar(const ScalarArg& arg);
  void add_scalar_list(const ScalarListArg& arg);
  void add_int_array(const IntArrayArg& arg);
  void add_float_array(const FloatArrayArg& arg);
  void add_bool_array(const BoolArrayArg& arg);
  void add_int(const char* name, std::int64_t value);
  void add_float(const char* name, double value);
  void add_bool(const char* name, bool value);
  void add_string(const char* name, const char* value);
  void add_dtype(const char* name, int value);
  /// Adds the tensors of an executor as "input0", "output0" and so on, for calls whose parameter names are unknown.
  void add_slots(const char* stem, const TensorSlots& slots, bool written);

  /// Assigns the executor's slots to tensors, so that addresses set later are dumped. Declarations do not determine
  /// what is read and written, because some headers declare outputs and in-place parameters const.
  void match(const TensorNumbers& numbers, const TensorSlots& inputs, const TensorSlots& outputs);

  const std::vector<Argument>& all() const { return all_; }

 private:
  Argument& add(const char* name, const char* kind);

  std::vector<Argument> all_;
};

}  // namespace aclvk::ops
