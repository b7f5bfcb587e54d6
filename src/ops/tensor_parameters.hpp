#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/operator_dtypes.hpp"

namespace aclvk::ops {

/// The tensors among an operator's parameters, each said once: asked for in the order of the signature, then checked
/// together, handed to the executor, and found again when kernels are made. One that is read and written is said twice,
/// as an input and as an output of the same name.
class TensorParameters {
 public:
  /// kNone: the operator has no such parameter, though others of its family do. It counts as left out.
  enum class ParamId : std::size_t { kNone = SIZE_MAX };

  // A required one may not be NULL (161001); an optional one that is NULL was left out.

  ParamId input(const void* handle, const char* name);
  ParamId optional_input(const void* handle, const char* name);
  ParamId optional_input(const NamedHandle& parameter);
  ParamId output(const void* handle, const char* name);
  ParamId optional_output(const void* handle, const char* name);
  /// One that is read and written in place: an input and an output of one name. The place is that of the output.
  ParamId updated(const void* handle, const char* name);
  ParamId optional_updated(const void* handle, const char* name);
  /// A list of tensors, one at least.
  ParamId input_list(const void* handle, const char* name);
  ParamId output_list(const void* handle, const char* name);
  /// Inputs that check_unsupported refuses: they count among the executor's inputs all the same.
  void unsupported(const std::vector<UnsupportedParameter>& inputs);

  bool has(ParamId id) const { return id != ParamId::kNone && !at(id).members.empty(); }
  /// One that was not left out; of a list the first.
  const Tensor& operator[](ParamId id) const { return at(id).members.front(); }
  /// All of a list.
  const std::vector<Tensor>& list(ParamId id) const { return at(id).members; }
  const char* name(ParamId id) const { return at(id).name; }
  /// Calls visit(id, tensor) for all, members of lists one by one.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      for (const Tensor& member : parameters_[i].members) visit(static_cast<ParamId>(i), member);
    }
  }

  /// The dtypes of all, then that their views make sense (161002).
  void check_all(const DTypeSet& supported) const;
  void check_dtypes(const OperatorDtypes& supported) const;
  void check_views() const;
  /// The shape of one, unless it was left out (161002).
  void check_shape(ParamId id, const Shape& expected, const char* reason) const;
  /// That a list has so many members, all of a shape, unless it was left out (161002).
  void check_list(ParamId id, std::size_t count, const Shape& expected, const char* reason) const;

  Executor::Operands operands() const;

  /// The tensors with the addresses of a run.
  class BoundTensors {
   public:
    BoundTensors(const TensorParameters& parameters, const Executor::Operands& operands)
        : parameters_(parameters), operands_(operands) {}

    /// Null for one that was left out; of a list the first.
    const Tensor* operator[](ParamId id) const;
    const Tensor& of_list(ParamId id, std::size_t member) const;
    /// Outputs may be written, and share no elements with an input at another place (161002).
    void check_memory() const;
    /// Each of some outputs shares no memory with any of some inputs (161002): for those that are written while inputs
    /// are still read. What was left out does not count.
    void check_disjoint(std::initializer_list<ParamId> outputs, std::initializer_list<ParamId> inputs) const;

   private:
    const TensorParameters& parameters_;
    const Executor::Operands& operands_;
  };

 private:
  struct Parameter {
    std::vector<Tensor> members;  ///< none for one that was left out
    const char* name;
    bool written;
    std::size_t slot;  ///< among the inputs, or among the outputs
  };

  ParamId add(const TensorPtr& tensor, const char* name, bool written);
  ParamId add(std::vector<Tensor> members, const char* name, bool written);
  const Parameter& at(ParamId id) const { return parameters_[static_cast<std::size_t>(id)]; }

  std::vector<Parameter> parameters_;
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
};

}  // namespace aclvk::ops
