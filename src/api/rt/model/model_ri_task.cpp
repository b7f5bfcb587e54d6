// acl/rt/model_ri_task.h: the tasks of a model and changes of them (capture-semantics 14).
#include <cstring>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/kernel/kernel_arguments.hpp"
#include "capture/captured/task_parameters.hpp"
#include "capture/inspect/model_tasks.hpp"
#include "capture/model/checks.hpp"
#include "capture/model/task_handle.hpp"

using namespace aclvk;
using api::guard;
using capture::TaskParameters;
using capture::TaskType;

namespace {

// NULL gets the runtime's code, 107000, from these functions (capture-semantics 1).
void expect(const void* pointer, const char* name) { check(pointer, Code::kParamInvalid, "{} is NULL.", name); }

capture::ModelTask given_task(aclmdlRITask task) {
  expect(task, "task");
  return capture::task_of(task);
}

template <typename Target>
void fill(const capture::EventParameters& from, Target& event, uint32_t& use) {
  event.event = from.event;
  event.eventFlag = from.flags;
  use = from.external ? 1 : 0;
}

// aclmdlRITaskParams is a tagged union: `type` names the member that is set.
void fill_union(const capture::KernelParameters& from, aclmdlRITaskParams& to) {
  auto& kernel = to.kernelTaskParams;
  kernel.funcHandle = from.function;
  kernel.args = const_cast<void*>(from.arguments);
  kernel.isHostArgs = from.on_host ? 1 : 0;
  kernel.argsSize = from.argument_bytes;
  kernel.numBlocks = from.blocks;
}

void fill_union(const capture::EventParameters& from, aclmdlRITaskParams& to) {
  if (to.type == ACL_MODEL_RI_TASK_EVENT_RECORD) {
    fill(from, to.eventRecordTaskParams, to.eventRecordTaskParams.recordFlag);
  } else if (to.type == ACL_MODEL_RI_TASK_EVENT_WAIT) {
    fill(from, to.eventWaitTaskParams, to.eventWaitTaskParams.waitFlag);
  } else {
    fill(from, to.eventResetTaskParams, to.eventResetTaskParams.resetFlag);
  }
}

void fill_union(const capture::ValueParameters& from, aclmdlRITaskParams& to) {
  if (to.type == ACL_MODEL_RI_TASK_VALUE_WRITE) {
    to.valueWriteTaskParams = {from.word, from.value};
  } else {
    to.valueWaitTaskParams = {from.word, from.value, from.comparison};
  }
}

void fill_union(std::monostate, aclmdlRITaskParams&) {}

aclmdlRITaskParams to_public(const TaskParameters& from) {
  aclmdlRITaskParams to{};
  to.type = static_cast<aclmdlRITaskType>(from.type);
  to.taskGrp = from.group;
  to.opInfoPtr = const_cast<void*>(from.op_info);
  to.opInfoSize = from.op_info_bytes;
  std::visit([&](const auto& of_type) { fill_union(of_type, to); }, from.of_type);
  return to;
}

// Only kernels, value writes and value waits can be set; for the other types, set_parameters() refuses the call.
TaskParameters from_public(const aclmdlRITaskParams& from) {
  TaskParameters to{static_cast<TaskType>(from.type), from.taskGrp, from.opInfoPtr, from.opInfoSize, {}};
  if (from.type == ACL_MODEL_RI_TASK_KERNEL) {
    const auto& kernel = from.kernelTaskParams;
    to.of_type = capture::KernelParameters{kernel.funcHandle,      kernel.args,      kernel.argsSize,
                                           kernel.isHostArgs != 0, kernel.numBlocks, api::attributes_of(kernel.cfg)};
  } else if (from.type == ACL_MODEL_RI_TASK_VALUE_WRITE) {
    to.of_type = capture::ValueParameters{from.valueWriteTaskParams.devAddr, from.valueWriteTaskParams.value, 0};
  } else if (from.type == ACL_MODEL_RI_TASK_VALUE_WAIT) {
    const auto& wait = from.valueWaitTaskParams;
    to.of_type = capture::ValueParameters{wait.devAddr, wait.value, wait.flag};
  }
  return to;
}

// The engine type, the block offset and the block prefetch cannot be read (capture-semantics 14).
void check_attribute(aclrtLaunchKernelAttrId id) {
  const bool readable = id == ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE || id == ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE ||
                        (id >= ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP && id <= ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING);
  check(readable, Code::kParamInvalid, "Launch attribute {} is not one that can be read from a task.",
        static_cast<int>(id));
}

}  // namespace

aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams) {
  return guard(__func__, [&] {
    expect(modelRI, "modelRI");
    expect(numStreams, "numStreams");
    const auto model = capture::model_of(modelRI);
    capture::check_no_sub_model(*model, "list the streams of");
    capture::copy_list(capture::streams_of(*model), streams, *numStreams);
  });
}

aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks, uint32_t* numTasks) {
  return guard(__func__, [&] {
    expect(stream, "stream");
    expect(numTasks, "numTasks");
    capture::copy_list(capture::tasks_of(stream), tasks, *numTasks);
  });
}

aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type) {
  return guard(__func__, [&] {
    const auto found = given_task(task);
    expect(type, "type");
    *type = static_cast<aclmdlRITaskType>(capture::type_of(found));
  });
}

aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id) {
  return guard(__func__, [&] {
    const auto found = given_task(task);
    expect(id, "id");
    *id = capture::sequence_id(found);
  });
}

aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  return guard(__func__, [&] {
    const auto found = given_task(task);
    expect(params, "params");
    *params = to_public(capture::parameters(found));
  });
}

aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  return guard(__func__, [&] {
    const auto found = given_task(task);
    expect(params, "params");
    capture::set_parameters(found, from_public(*params));
  });
}

aclError aclmdlRITaskDisable(aclmdlRITask task) {
  return guard(__func__, [&] { capture::disable(given_task(task)); });
}

aclError aclmdlRIUpdate(aclmdlRI modelRI) {
  return guard(__func__, [&] {
    expect(modelRI, "modelRI");
    capture::update(capture::model_of(modelRI));
  });
}

aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue* attrValue) {
  return guard(__func__, [&] {
    api::require(task, "task");
    api::require(attrValue, "attrValue");
    const auto found = capture::task_of(task);
    capture::check_kernel(found);
    check_attribute(attrId);
    *attrValue = api::to_public(capture::launch_attribute(found, static_cast<int>(attrId)));
  });
}
