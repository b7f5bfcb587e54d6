#pragma once

#include <type_traits>

#include "api/aclnn_operator.hpp"
#include "ops/elementwise/tables.hpp"

// The operators of the tables in ops/elementwise: arguments in the order of the C parameters.

namespace aclvk::api {

inline ops::PointwiseArgument argument(const char* name, const aclTensor* value) {
  return {name, ops::PointwiseArgument::Kind::kTensor, value, 0};
}
/// An optional scalar that is NULL stands for 1.
inline ops::PointwiseArgument argument(const char* name, const aclScalar* value) {
  return {name, ops::PointwiseArgument::Kind::kScalar, value, 1};
}
inline ops::PointwiseArgument argument(const char* name, const aclTensorList* value) {
  return {name, ops::PointwiseArgument::Kind::kTensors, value, 0};
}
inline ops::PointwiseArgument argument(const char* name, const aclScalarList* value) {
  return {name, ops::PointwiseArgument::Kind::kScalars, value, 0};
}
template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
ops::PointwiseArgument argument(const char* name, Number value) {
  return {name, ops::PointwiseArgument::Kind::kNumber, nullptr, static_cast<double>(value)};
}

}  // namespace aclvk::api

/// An argument by the name of its parameter, and all arguments of a function.
#define NAMED(parameter) aclvk::api::argument(#parameter, parameter)
#define ARGUMENTS(function) \
  { ACLVK_LIST(ACLVK_PARAMETERS_##function) }

/// Both phases of an operator, for a function of ops that takes the name and the arguments.
#define PLANNED(function, planner) OPERATOR(function, aclvk::ops::planner(#function, ARGUMENTS(function)))
/// The same for a row of a table.
#define ROW_OF(function, op) OPERATOR(function, aclvk::ops::plan_pointwise(#function, op, ARGUMENTS(function)))
