#include <cstring>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::on_another_thread;
using ContextOfPlainProcess = aclvk::test::Plain;
using Context = aclvk::test::OneStream;

aclrtContext create() {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(&context, 0), 0);
  return context;
}

aclrtContext current() {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&context), 0);
  return context;
}

aclError create_stream() {
  aclrtStream stream = nullptr;
  return aclrtCreateStream(&stream);
}

TEST_F(ContextOfPlainProcess, T055_CreateChecksItsArguments) {
  aclrtContext context = nullptr;
  uint32_t devices = 0;
  aclrtGetDeviceCount(&devices);
  EXPECT_EQ(aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateContext(&context, -1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtCreateContext(&context, static_cast<int32_t>(devices)), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(ContextOfPlainProcess, NeedsNoSetDeviceAndIsCurrent) {
  const aclrtContext context = create();
  EXPECT_EQ(current(), context);
  EXPECT_EQ(create_stream(), 0);
}

TEST_F(Context, T057_NullIsRefused) {
  EXPECT_EQ(aclrtSetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyContext(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ContextOfPlainProcess, T058_AFreshThreadHasNoneAndThatIsNoError) {
  aclrtSetDevice(0);
  on_another_thread([] {
    aclrtContext context = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
    EXPECT_EQ(create_stream(), ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(ContextOfPlainProcess, T059_ThePrimaryOneCannotBeDestroyed) {
  aclrtSetDevice(0);
  EXPECT_EQ(aclrtDestroyContext(current()), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(create_stream(), 0);
}

TEST_F(ContextOfPlainProcess, T061_CanBeDestroyedOnce) {
  const aclrtContext context = create();
  EXPECT_EQ(aclrtDestroyContext(context), 0);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(ContextOfPlainProcess, T062_CannotBeCurrentOnceDestroyed) {
  const aclrtContext context = create();
  aclrtDestroyContext(context);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ContextOfPlainProcess, T063_DestroyingTheCurrentOneLeavesNone) {
  aclrtSetDevice(0);
  aclrtDestroyContext(create());
  void* memory = nullptr;
  EXPECT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(create_stream(), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(ContextOfPlainProcess, T065_ResetNeedsNone) {
  aclrtSetDevice(0);
  aclrtDestroyContext(create());
  EXPECT_EQ(aclrtResetDevice(0), 0);
}

TEST_F(ContextOfPlainProcess, SetDeviceDropsTheExplicitOne) {
  const aclrtContext context = create();
  aclrtSetDevice(0);
  EXPECT_NE(current(), context);
}

TEST_F(ContextOfPlainProcess, T066_StreamsOfAnotherOneAreRefused) {
  const aclrtContext a = create();
  const aclrtContext b = create();
  aclrtSetCurrentContext(a);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  aclrtSetCurrentContext(b);
  EXPECT_EQ(aclrtMemsetAsync(memory, 64, 0, 64, stream), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtStreamAbort(stream), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 0), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtLaunchHostFunc(
                stream, [](void*) {}, nullptr),
            ACL_ERROR_RT_STREAM_CONTEXT);
}

TEST_F(ContextOfPlainProcess, T067_StreamsOfAnotherOneCanBeWaitedFor) {
  const aclrtContext a = create();
  const aclrtContext b = create();
  aclrtSetCurrentContext(a);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  aclrtSetCurrentContext(b);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
  EXPECT_EQ(current(), b);
}

TEST_F(ContextOfPlainProcess, T069_DestroyedByAnotherThreadIsGoneHere) {
  const aclrtContext context = create();
  on_another_thread([context] { EXPECT_EQ(aclrtDestroyContext(context), 0); });
  EXPECT_EQ(create_stream(), ACL_ERROR_RT_CONTEXT_NULL);
  int32_t device = 0;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Context, DestroyingItDestroysItsStreams) {
  const aclrtContext context = create();
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  ASSERT_EQ(aclrtDestroyContext(context), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Context, CanBeCurrentOnManyThreads) {
  const aclrtContext shared = current();
  on_another_thread([this, shared] {
    EXPECT_EQ(aclrtSetCurrentContext(shared), 0);
    EXPECT_EQ(create_stream(), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  s, [](void*) {}, nullptr),
              0);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  });
}

TEST_F(Context, HandlesOfOtherObjectsAreRefused) {
  int on_stack = 0;
  for (void* garbage : {static_cast<void*>(s), static_cast<void*>(&on_stack), reinterpret_cast<void*>(7),
                        reinterpret_cast<void*>(0xAC01FFFFFFFFFFFF)}) {
    EXPECT_EQ(aclrtSetCurrentContext(garbage), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtDestroyContext(garbage), ACL_ERROR_RT_CONTEXT_NULL);
  }
}

TEST_F(ContextOfPlainProcess, T070_DefaultStreamNeedsOne) {
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
  aclrtSetDevice(0);
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 0);
  EXPECT_NE(stream, nullptr);
}

TEST_F(Context, T071_DefaultStreamIsTheOneThatNullMeans) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), 0);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 0x5A, 64, stream), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  unsigned char bytes[64] = {};
  ASSERT_EQ(aclrtMemcpy(bytes, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(bytes[0], 0x5A);
  EXPECT_EQ(bytes[63], 0x5A);
}

TEST_F(Context, DefaultStreamCannotBeDestroyed) {
  aclrtStream stream = nullptr;
  aclrtCtxGetCurrentDefaultStream(&stream);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
}

TEST_F(Context, OptionsAreKept) {
  int64_t value = 7;
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 3), 0);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 0);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, &value), 0) << "nobody has set it";
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 1), 0);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, &value), 0);
  EXPECT_EQ(value, 1);
}

TEST_F(Context, OptionsAreChecked) {
  int64_t value = 0;
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 4), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(4), 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetSysParamOpt(static_cast<aclSysParamOpt>(-1), &value), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ContextOfPlainProcess, OptionsNeedOne) {
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_ERROR_RT_CONTEXT_NULL);
}

}  // namespace
