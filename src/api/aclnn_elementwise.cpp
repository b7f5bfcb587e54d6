#include "api/aclnn_phases.hpp"
#include "ops/elementwise/binary.hpp"
#include "ops/elementwise/copy.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using aclvk::ops::BinaryHandles;
using aclvk::ops::BinaryOp;
using aclvk::ops::plan_binary;
using aclvk::ops::plan_div_mod;

namespace {

/// The type of selfRef: some in-place functions declare it const and some do not.
template <typename Function>
struct FirstParameter;
template <typename First, typename... Rest>
struct FirstParameter<aclnnStatus(First, Rest...)> {
  using Type = First;
};

BinaryHandles tensors(const void* self, const void* other, const void* out) {
  return {self, other, nullptr, out, false, false, false};
}
BinaryHandles scalar(const void* self, const void* other, const void* out) {
  return {self, other, nullptr, out, true, false, false};
}
BinaryHandles in_place(BinaryHandles handles) {
  handles.in_place = true;
  return handles;
}
BinaryHandles with(BinaryHandles handles, const void* alpha) {
  handles.alpha = alpha;
  handles.has_alpha = true;
  return handles;
}

}  // namespace

// The forms of ops/elementwise/binary.def. For the row Add they define aclnnAdd, aclnnAdds, aclnnInplaceAdd and
// aclnnInplaceAdds with their GetWorkspaceSize functions. Parameters are pairs, see api/aclnn_parameters.hpp.
// clang-format off
#define OF_TENSORS (const aclTensor*, self)(const aclTensor*, other)
#define OF_SCALAR (const aclTensor*, self)(const aclScalar*, other)
#define SELF_REF(function) (FirstParameter<decltype(function##GetWorkspaceSize)>::Type, selfRef)
#define OTHER (const aclTensor*, other)
#define SCALAR_OTHER (const aclScalar*, other)
#define WITH_ALPHA (const aclScalar*, alpha)
#define OUT (aclTensor*, out)

#define ROW(function, name, handles, parameters) \
  PLAN(function, plan_binary(#function, BinaryOp::k##name, handles), parameters)
#define TENSOR(name, rule, value) \
  ROW(aclnn##name, name, tensors(self, other, out), OF_TENSORS OUT)
#define TENSOR_INPLACE(name, rule, value)                                                                               \
  TENSOR(name, rule, value)                                                                                             \
  ROW(aclnn##name##s, name, scalar(self, other, out), OF_SCALAR OUT)                                                    \
  ROW(aclnnInplace##name, name, in_place(tensors(selfRef, other, nullptr)), SELF_REF(aclnnInplace##name) OTHER)         \
  ROW(aclnnInplace##name##s, name, in_place(scalar(selfRef, other, nullptr)),                                           \
      SELF_REF(aclnnInplace##name##s) SCALAR_OTHER)
#define ALPHA(name, rule, value)                                                                                        \
  ROW(aclnn##name, name, with(tensors(self, other, out), alpha), OF_TENSORS WITH_ALPHA OUT)                             \
  ROW(aclnn##name##s, name, with(scalar(self, other, out), alpha), OF_SCALAR WITH_ALPHA OUT)
#define ALPHA_INPLACE(name, rule, value)                                                                                \
  ALPHA(name, rule, value)                                                                                              \
  ROW(aclnnInplace##name, name, in_place(with(tensors(selfRef, other, nullptr), alpha)),                                \
      SELF_REF(aclnnInplace##name) OTHER WITH_ALPHA)                                                                    \
  ROW(aclnnInplace##name##s, name, in_place(with(scalar(selfRef, other, nullptr), alpha)),                              \
      SELF_REF(aclnnInplace##name##s) SCALAR_OTHER WITH_ALPHA)
#define INTERNAL(name, rule, value)

extern "C" {

#include "ops/elementwise/binary.def"

PLAN(aclnnDivMod, plan_div_mod("aclnnDivMod", mode, tensors(self, other, out)), OF_TENSORS (int, mode) OUT)
PLAN(aclnnDivMods, plan_div_mod("aclnnDivMods", mode, scalar(self, other, out)), OF_SCALAR (int, mode) OUT)
PLAN(aclnnInplaceDivMod, plan_div_mod("aclnnInplaceDivMod", mode, in_place(tensors(selfRef, other, nullptr))),
     SELF_REF(aclnnInplaceDivMod) OTHER (int, mode))
PLAN(aclnnInplaceDivMods, plan_div_mod("aclnnInplaceDivMods", mode, in_place(scalar(selfRef, other, nullptr))),
     SELF_REF(aclnnInplaceDivMods) SCALAR_OTHER (int, mode))

PLAN(aclnnCast, aclvk::ops::plan_cast(self, dtype, out), (const aclTensor*, self)(const aclDataType, dtype) OUT)
PLAN(aclnnInplaceCopy, aclvk::ops::plan_inplace_copy(selfRef, src), SELF_REF(aclnnInplaceCopy)(const aclTensor*, src))

}  // extern "C"
// clang-format on
