#pragma once

#include <type_traits>

#include "ops/tensor/dtype.hpp"

struct aclTensor;
struct aclTensorList;
struct aclScalar;
struct aclScalarList;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;

namespace aclvk::ops {

// The arguments of an operator's first phase, as members of the generated structs in ops/args: a value that the program
// passed, with the name of its parameter, which errors and dumps show. A type is a kind of parameter, so an output
// cannot be read as an input. `name` is a string literal; null when an operator lacks a parameter that others of its
// family have.

/// A handle that the program passed. It may be NULL or stale.
template <typename Object>
struct HandleArg {
  const Object* handle = nullptr;
  const char* name = nullptr;

  constexpr HandleArg() = default;
  constexpr HandleArg(const Object* from, const char* called) : handle(from), name(called) {}
  constexpr explicit operator bool() const { return handle != nullptr; }
};

/// A tensor or a list of tensors. Some headers declare outputs const.
template <typename Object>
struct TensorsArg : HandleArg<Object> {
  bool is_const = false;  ///< as the header declares it

  constexpr TensorsArg() = default;
  constexpr TensorsArg(const Object* from, const char* called) : HandleArg<Object>(from, called), is_const(true) {}
  constexpr TensorsArg(Object* from, const char* called) : HandleArg<Object>(from, called) {}
};

using TensorArg = TensorsArg<aclTensor>;
using TensorListArg = TensorsArg<aclTensorList>;

struct InputArg : TensorArg {
  using TensorArg::TensorArg;
};
struct OutputArg : TensorArg {
  using TensorArg::TensorArg;
};
/// A tensor that is read and written in place.
struct UpdatedArg : TensorArg {
  using TensorArg::TensorArg;

  InputArg read() const { return as<InputArg>(); }
  OutputArg written() const { return as<OutputArg>(); }

 private:
  template <typename Other>
  Other as() const {
    Other other;
    static_cast<TensorArg&>(other) = *this;
    return other;
  }
};
struct InputListArg : TensorListArg {
  using TensorListArg::TensorListArg;
};
struct OutputListArg : TensorListArg {
  using TensorListArg::TensorListArg;
};
/// A list of tensors that are read and written in place.
struct UpdatedListArg : TensorListArg {
  using TensorListArg::TensorListArg;
};

using ScalarArg = HandleArg<aclScalar>;
using ScalarListArg = HandleArg<aclScalarList>;
using IntArrayArg = HandleArg<aclIntArray>;
using FloatArrayArg = HandleArg<aclFloatArray>;
using BoolArrayArg = HandleArg<aclBoolArray>;
/// Text that ends with a zero byte.
using TextArg = HandleArg<char>;

/// An attribute that the program passed by value: a number, a truth value, a dtype. Converts to its value.
template <typename Value>
struct ValueArg {
  static_assert(std::is_arithmetic_v<Value> || std::is_same_v<Value, DType>);

  Value value{};
  const char* name = nullptr;

  constexpr operator Value() const { return value; }  // NOLINT(google-explicit-constructor)
};

/// The argument with another name, for operators whose errors use one name for parameters of several versions.
template <typename Arg>
constexpr Arg renamed(Arg arg, const char* name) {
  arg.name = name;
  return arg;
}

}  // namespace aclvk::ops
