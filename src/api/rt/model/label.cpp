// acl/rt/label.h: jumps inside models that are built from streams.
#include "runtime/context/label.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"

using namespace aclvk;
using api::guard;
using api::own_stream_of;
using api::require;

namespace {

std::shared_ptr<runtime::Label> label_of(aclrtLabel handle) {
  require(handle, "label");
  auto label = runtime::label_handles().find(handle);
  check(label != nullptr, Code::kInvalidHandle, "label ({}) is not a live label.", handle);
  return label;
}

}  // namespace

aclError aclrtCreateLabel(aclrtLabel* label) {
  return guard(__func__, [&] {
    require(label, "label");
    *label = runtime::create_label();
  });
}

aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream) {
  return guard(__func__, [&] { runtime::set_label(label_of(label), *own_stream_of(stream)); });
}

aclError aclrtDestroyLabel(aclrtLabel label) {
  return guard(__func__, [&] {
    label_of(label);
    runtime::label_handles().remove(label);
  });
}

aclError aclrtCreateLabelList(aclrtLabel* labels, size_t num, aclrtLabelList* labelList) {
  return guard(__func__, [&] {
    require(labels, "labels");
    require(labelList, "labelList");
    check(num > 0, Code::kInvalidParam, "num is 0; a list has at least one label.");
    std::vector<std::shared_ptr<runtime::Label>> found;
    for (size_t i = 0; i < num; ++i) found.push_back(label_of(labels[i]));
    *labelList = runtime::create_label_list(found);
  });
}

aclError aclrtDestroyLabelList(aclrtLabelList labelList) {
  return guard(__func__, [&] {
    require(labelList, "labelList");
    const auto list = runtime::label_list_handles().remove(labelList);
    check(list != nullptr, Code::kInvalidHandle, "labelList ({}) is not a live list of labels.", labelList);
  });
}

aclError aclrtSwitchLabelByIndex(void* ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require(labelList, "labelList");
    check(maxValue > 0, Code::kInvalidParam, "maxValue is 0; it is the number of labels.");
    const auto list = runtime::label_list_handles().find(labelList);
    check(list != nullptr, Code::kInvalidHandle, "labelList ({}) is not a live list of labels.", labelList);
    runtime::switch_label(*own_stream_of(stream), ptr, maxValue, *list);
  });
}
