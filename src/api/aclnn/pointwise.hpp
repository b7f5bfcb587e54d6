#pragma once

#include <type_traits>

#include "api/aclnn/operator.hpp"
#include "ops/elementwise/tables.hpp"

// Macros for the operators of the tables in ops/elementwise. Their arguments are a list in the order of the C
// parameters.

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

/// NAMED is one argument with the name of its parameter, ARGUMENTS the list of all arguments of a function.
#define NAMED(parameter) aclvk::api::argument(#parameter, parameter)
#define ARGUMENTS(function) \
  { ACLVK_LIST(ACLVK_PARAMETERS_##function) }

/// Defines both phases of an operator that a function of ops plans from the name and the arguments.
#define PLANNED(function, planner) OPERATOR(function, aclvk::ops::planner(#function, ARGUMENTS(function)))
/// Defines both phases of an operator that is a row of a table.
#define ROW_OF(function, op) OPERATOR(function, aclvk::ops::plan_pointwise(#function, op, ARGUMENTS(function)))
