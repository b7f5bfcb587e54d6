// acl/rt/random.h: random numbers in a stream, made by kernels of ops/builtin.
#include <cstring>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "ops/builtin/random_numbers.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

ops::RandomParameter parameter_of(const aclrtRandomParaInfo& from) {
  ops::RandomParameter parameter{from.isAddr != 0, 0, from.size};
  std::memcpy(&parameter.value, from.valueOrAddr, sizeof(from.valueOrAddr));
  return parameter;
}

// randomParaAddr is memory in which an Ascend chip stores the parameters; here they are arguments of the kernel.
ops::RandomNumbers task_of(const aclrtRandomNumTaskInfo& from) {
  const aclrtRandomNumFuncParaInfo& function = from.randomNumFuncParaInfo;
  ops::RandomNumbers task;
  task.dtype = from.dataType;
  task.function = function.funcType;
  if (function.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK) {
    task.first = parameter_of(function.paramInfo.dropoutBitmaskInfo.dropoutRation);
  } else if (function.funcType == ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS) {
    task.first = parameter_of(function.paramInfo.uniformDisInfo.min);
    task.second = parameter_of(function.paramInfo.uniformDisInfo.max);
  } else {
    task.first = parameter_of(function.paramInfo.normalDisInfo.mean);
    task.second = parameter_of(function.paramInfo.normalDisInfo.stddev);
  }
  task.seed = parameter_of(from.randomSeed);
  task.number = parameter_of(from.randomNum);
  task.counter = from.randomCounterAddr;
  task.result = from.randomResultAddr;
  return task;
}

}  // namespace

aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, const aclrtStream stream, void* reserve) {
  return guard(__func__, [&] {
    require(taskInfo, "taskInfo");
    ops::check_random_dtype(taskInfo->dataType);
    check(reserve == nullptr, Code::kParamInvalid, "reserve is {}; NULL is expected.", reserve);
    ops::random_numbers_in_stream(*own_stream_of(stream), task_of(*taskInfo));
  });
}
