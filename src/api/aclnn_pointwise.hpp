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

/// The type of other: some in-place functions declare it const and some do not.
template <typename Function>
struct SecondParameter;
template <typename First, typename Second, typename... Rest>
struct SecondParameter<aclnnStatus(First, Second, Rest...)> {
  using Type = Second;
};

}  // namespace aclvk::api

#define NAMED(parameter) aclvk::api::named(#parameter, parameter)

/// Both phases of an operator of a table: `arguments` are made of of(), with() and to().
#define ROW_OF(function, op, arguments, parameters) \
  PLAN(function, aclvk::ops::plan_pointwise(#function, op, arguments), parameters)

#define SELF (const aclTensor*, self)
#define SELF_REF(function) (aclvk::api::FirstParameter<decltype(function##GetWorkspaceSize)>::Type, selfRef)
#define OTHER_OF(function) (aclvk::api::SecondParameter<decltype(function##GetWorkspaceSize)>::Type, other)
#define OTHER (const aclTensor*, other)
#define SCALAR_SELF (const aclScalar*, self)
#define SCALAR_OTHER (const aclScalar*, other)
#define WITH_ALPHA (const aclScalar*, alpha)
#define OUT (aclTensor*, out)
