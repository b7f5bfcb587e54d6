#pragma once

#include "api/aclnn_phases.hpp"
#include "ops/elementwise/tables.hpp"

// The parameters of pointwise operators: an operand's name and type come from the C parameter.

namespace aclvk::api {

inline ops::PointwiseArgument named(const char* name, const aclTensor* tensor) { return {name, tensor}; }
inline ops::PointwiseArgument named(const char* name, const aclScalar* scalar) { return {name, scalar, true}; }
inline ops::PointwiseArgument named(const char* name, double number) { return {name, nullptr, true, true, number}; }

inline ops::PointwiseArguments of(const ops::PointwiseArgument& first, const ops::PointwiseArgument& second) {
  return {{first, second}, {}, {}};
}
inline ops::PointwiseArguments of(const ops::PointwiseArgument& first, const ops::PointwiseArgument& second,
                                  const ops::PointwiseArgument& third) {
  return {{first, second, third}, {}, {}};
}

/// The types of a function's first parameters: some in-place functions declare selfRef, or other, const and some do
/// not.
template <typename Function>
struct FirstParameters;
template <typename First, typename Second, typename... Rest>
struct FirstParameters<aclnnStatus(First, Second, Rest...)> {
  using Type = First;
  using Next = Second;
};

}  // namespace aclvk::api

#define PLAN ACLVK_PLAN
#define NAMED(parameter) aclvk::api::named(#parameter, parameter)

/// Both phases of an operator of a table: `arguments` are made of of(), with() and to().
#define ROW_OF(function, op, arguments, parameters) \
  PLAN(function, aclvk::ops::plan_pointwise(#function, op, arguments), parameters)

#define SELF (const aclTensor*, self)
#define SELF_REF(function) (aclvk::api::FirstParameters<decltype(function##GetWorkspaceSize)>::Type, selfRef)
#define OTHER_OF(function) (aclvk::api::FirstParameters<decltype(function##GetWorkspaceSize)>::Next, other)
#define OTHER (const aclTensor*, other)
#define SCALAR_SELF (const aclScalar*, self)
#define SCALAR_OTHER (const aclScalar*, other)
#define WITH_ALPHA (const aclScalar*, alpha)
#define OUT (aclTensor*, out)
