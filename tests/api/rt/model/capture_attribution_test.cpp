// What programs say about the tasks that they capture (capture-semantics 16.3, capture-tests L).
#include <string>
#include <vector>

#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

class Attribution : public ModelTaskTest {
 protected:
  static void keep_op_infos(aclrtStream stream, bool keep = true) {
    aclrtStreamAttrValue value{};
    value.cacheOpInfoSwitch = keep ? 1 : 0;
    EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0) << aclGetRecentErrMsg();
  }
};

TEST_F(Attribution, AttributeIsKept) {
  aclrtStreamAttrValue value{};
  value.cacheOpInfoSwitch = 7;
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0);
  EXPECT_EQ(value.cacheOpInfoSwitch, 0u);
  keep_op_infos(s);
  EXPECT_EQ(aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0);
  EXPECT_EQ(value.cacheOpInfoSwitch, 1u);
}

TEST_F(Attribution, T257_ImpossibleSizesAre107000) {
  const std::vector<char> info(65537, 'x');
  keep_op_infos(s);
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo(info.data(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo(info.data(), 65537), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo(info.data(), 65536), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtCacheLastTaskExtendInfo(info.data(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCacheLastTaskExtendInfo(info.data(), 4097), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Attribution, NullIs100000) {
  EXPECT_EQ(aclrtCacheLastTaskOpInfo(nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCacheLastTaskExtendInfo(nullptr, 1), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Attribution, BelongsToTheLastTaskOfTheThread) {
  const std::string first = "shape 2x3", second = "shape 4";
  keep_op_infos(s);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtCacheLastTaskOpInfo(first.data(), first.size()), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtCacheLastTaskOpInfo(second.data(), second.size()), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  const auto tasks = tasks_of_origin(model);
  const auto info_of = [](aclmdlRITask task) {
    const auto params = params_of(task);
    return std::string(static_cast<const char*>(params.opInfoPtr), params.opInfoSize);
  };
  EXPECT_EQ(info_of(tasks[0]), first);
  EXPECT_EQ(info_of(tasks[1]), second);
  EXPECT_EQ(params_of(tasks[2]).opInfoPtr, nullptr);
}

TEST_F(Attribution, WithoutTheAttributeIs507000) {
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo("x", 1), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_F(Attribution, WithoutACaptureIs507000) {
  keep_op_infos(s);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo("x", 1), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtCacheLastTaskExtendInfo("x", 1), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_F(Attribution, ForkedStreamHasTheAttributeOfTheOrigin) {
  keep_op_infos(s);
  begin(s);
  order(s, side);
  EXPECT_EQ(increment(cell, side), 0);
  EXPECT_EQ(aclrtCacheLastTaskOpInfo("x", 1), 0) << aclGetRecentErrMsg();
  order(side, s);
}

TEST_F(Attribution, ParametersCanBeHandedBack) {
  const std::string info = "shape 2x3";
  keep_op_infos(s);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtCacheLastTaskOpInfo(info.data(), info.size()), 0);
  });
  aclmdlRITask kernel = only_task(model);
  aclmdlRITaskParams params = params_of(kernel);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), 0) << aclGetRecentErrMsg();
  params = params_of(kernel);
  EXPECT_EQ(std::string(static_cast<const char*>(params.opInfoPtr), params.opInfoSize), info);

  params.opInfoSize = 65537;
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Attribution, KernelThatBecomesAValueTaskLosesIt) {
  keep_op_infos(s);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtCacheLastTaskOpInfo("x", 1), 0);
  });
  Word word;
  aclmdlRITask task = only_task(model);
  aclmdlRITaskParams write = value_write(word, 1);
  EXPECT_EQ(aclmdlRITaskSetParams(task, &write), 0) << aclGetRecentErrMsg();
  aclmdlRITaskParams same = params_of(task);
  EXPECT_EQ(same.opInfoPtr, nullptr);
  EXPECT_EQ(aclmdlRITaskSetParams(task, &same), 0) << aclGetRecentErrMsg();
}

}  // namespace
}  // namespace aclvk::test
