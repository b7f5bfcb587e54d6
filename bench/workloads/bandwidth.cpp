// Memory-bound operators against the fastest hand-written kernel for the same operation.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_relu.h"
#include "program/objects.hpp"
#include "workloads/memory_bound.hpp"

namespace bench {
namespace {

constexpr std::size_t kElements = 16 * 1024 * 1024;  // 64 MiB of float32

/// The operands of all operators.
struct Operands {
  acl::Tensor x;
  acl::Tensor y;
  acl::Tensor out;
  aclDataType to;
  acl::Scalar one{1};
};

/// One memory-bound operator.
struct Workload {
  const char* name;     ///< name of the row
  const char* shaders;  ///< prefix of the names of its raw kernels
  std::size_t inputs;
  aclDataType from;
  aclDataType to;
  aclnnStatus (*plan)(const Operands&, std::uint64_t*, aclOpExecutor**);
  acl::Run run;
};

aclnnStatus plan_add(const Operands& o, std::uint64_t* bytes, aclOpExecutor** executor) {
  return aclnnAddGetWorkspaceSize(o.x.get(), o.y.get(), o.one.get(), o.out.get(), bytes, executor);
}
aclnnStatus plan_maximum(const Operands& o, std::uint64_t* bytes, aclOpExecutor** executor) {
  return aclnnMaximumGetWorkspaceSize(o.x.get(), o.y.get(), o.out.get(), bytes, executor);
}
aclnnStatus plan_relu(const Operands& o, std::uint64_t* bytes, aclOpExecutor** executor) {
  return aclnnReluGetWorkspaceSize(o.x.get(), o.out.get(), bytes, executor);
}
aclnnStatus plan_cast(const Operands& o, std::uint64_t* bytes, aclOpExecutor** executor) {
  return aclnnCastGetWorkspaceSize(o.x.get(), o.to, o.out.get(), bytes, executor);
}
aclnnStatus plan_copy(const Operands& o, std::uint64_t* bytes, aclOpExecutor** executor) {
  return aclnnInplaceCopyGetWorkspaceSize(o.out.get(), o.x.get(), bytes, executor);
}

constexpr Workload kWorkloads[] = {
    {"aclnnAdd float32", "add", 2, ACL_FLOAT, ACL_FLOAT, plan_add, aclnnAdd},
    {"aclnnMaximum float32", "add", 2, ACL_FLOAT, ACL_FLOAT, plan_maximum, aclnnMaximum},
    {"aclnnRelu float32", "copy", 1, ACL_FLOAT, ACL_FLOAT, plan_relu, aclnnRelu},
    {"aclnnCast float32 to float16", "cast_half", 1, ACL_FLOAT, ACL_FLOAT16, plan_cast, aclnnCast},
    {"aclnnCast float16 to float32", "cast_float", 1, ACL_FLOAT16, ACL_FLOAT, plan_cast, aclnnCast},
    {"aclnnCast float32 to int32", "cast_int", 1, ACL_FLOAT, ACL_INT32, plan_cast, aclnnCast},
    {"aclnnInplaceCopy float32", "copy", 1, ACL_FLOAT, ACL_FLOAT, plan_copy, aclnnInplaceCopy},
};

void measure(const Context& context, const Workload& workload) {
  const Operands operands{{kElements, 1.0F, workload.from},
                          {workload.inputs == 2 ? kElements : 1, 0.5F, workload.from},
                          {kElements, 0.0F, workload.to},
                          workload.to};
  const acl::Operator measured(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) { return workload.plan(operands, bytes, executor); },
      workload.run);
  Floor floor{workload.shaders, {}, kElements, workload.run == aclnnInplaceCopy};
  floor.bytes.assign(workload.inputs, kElements * aclDataTypeSize(workload.from));
  floor.bytes.push_back(kElements * aclDataTypeSize(workload.to));
  Group group{"bandwidth", "16 Mi elements", kElements * 4, 1, 1, 0, {}};
  for (const std::size_t bytes : floor.bytes) group.bytes_moved += bytes;
  compare_with_floor(context, std::move(group), floor, workload.name, measured);
}

}  // namespace

void measure_bandwidth(const Context& context) {
  if (!context.wants("bandwidth")) return;
  for (const Workload& workload : kWorkloads) measure(context, workload);
}

}  // namespace bench
