// ACLVK_CHECK_LIFETIME: models whose memory has been freed (capture-users 2.4).
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// The setting is read by the first call of a process, so it comes before the fixture that makes it.
struct Setting {
  explicit Setting(const char* value) { setenv("ACLVK_CHECK_LIFETIME", value, 1); }
};

class ModelLifetime : private Setting, public CaptureTest {
 protected:
  explicit ModelLifetime(const char* setting = "1") : Setting(setting) { freed.emplace(); }

  /// What the library says about a replay that it refuses.
  std::string refused(aclmdlRI model) {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
    const char* sentence = aclGetRecentErrMsg();
    return sentence ? sentence : "";
  }
  static std::string hex(const void* pointer) {
    char text[32];
    std::snprintf(text, sizeof(text), "0x%" PRIxPTR, reinterpret_cast<std::uintptr_t>(pointer));
    return text;
  }
  static std::string number_of(aclrtStream stream) {
    std::int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    return std::to_string(id);
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  Cell kept;
  std::optional<Cell> freed;  // until a test frees it
};

class ModelLifetimeUnchecked : public ModelLifetime {
 protected:
  ModelLifetimeUnchecked() : ModelLifetime("0") {}
};

TEST_F(ModelLifetime, ModelWithItsMemoryRuns) {
  aclmdlRI model = capture([&] { EXPECT_EQ(add(*freed, 1, kept, s), 0); });
  run(model, s);
  run(model, s);
  EXPECT_EQ(kept.value(), 1);
}

TEST_F(ModelLifetime, FreedOperandIs507011AndNothingRuns) {
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(kept, s), 0);
    EXPECT_EQ(add(*freed, 1, kept, s), 0);
  });
  run(model, s);
  kept.set(5);
  freed.reset();
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
  sync(s);
  EXPECT_EQ(kept.value(), 5);
}

TEST_F(ModelLifetime, SentenceNamesTheModelTheTaskTheOperandAndTheAddress) {
  const void* address = freed->address();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(kept, s), 0);
    order(s, side);
    EXPECT_EQ(add(kept, 1, *freed, side), 0);
    order(side, s);
  });
  ASSERT_EQ(aclmdlRISetName(model, "decode"), 0);
  freed.reset();
  const std::string sentence = refused(model);
  EXPECT_TRUE(has(sentence, "\"decode\"")) << sentence;
  EXPECT_TRUE(has(sentence,
                  "operand 3 of its task 3 (aclnnAdds on stream " + number_of(side) + "), 32 bytes at " + hex(address)))
      << sentence;
}

TEST_F(ModelLifetime, FreedSourceOfACopyIs507011) {
  aclmdlRI model = capture([&] {
    EXPECT_EQ(
        aclrtMemcpyAsync(kept.address(), kept.bytes(), freed->address(), kept.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s),
        0);
  });
  freed.reset();
  EXPECT_TRUE(has(refused(model), "source of its task 0 (MEMCPY_ASYNC")) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, FreedDestinationOfAFillIs507011) {
  aclmdlRI model =
      capture([&] { EXPECT_EQ(aclrtMemsetAsync(freed->address(), freed->bytes(), 0, freed->bytes(), s), 0); });
  freed.reset();
  EXPECT_TRUE(has(refused(model), "destination of its task 0 (MEMSET_ASYNC")) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, FreedRowsAre507011) {
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpy2dAsync(freed->address(), 8, kept.address(), 8, 8, 2, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
  });
  freed.reset();
  EXPECT_TRUE(has(refused(model), "destination of its task 0 (MEMCPY_ASYNC")) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, FreedPinnedMemoryIs507011) {
  std::optional<Pinned<float>> pinned(8);
  const void* address = pinned->data();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpyAsync(kept.address(), kept.bytes(), address, kept.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  });
  pinned.reset();
  EXPECT_TRUE(has(refused(model), "32 bytes at " + hex(address))) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, FreedSideOfAPageableCopyIs507011) {
  std::vector<float> pageable(8);
  aclmdlRI upload = capture(
      [&] { EXPECT_EQ(aclrtMemcpyAsync(freed->address(), 32, pageable.data(), 32, ACL_MEMCPY_HOST_TO_DEVICE, s), 0); });
  aclmdlRI download = capture(
      [&] { EXPECT_EQ(aclrtMemcpyAsync(pageable.data(), 32, freed->address(), 32, ACL_MEMCPY_DEVICE_TO_HOST, s), 0); });
  freed.reset();
  EXPECT_TRUE(has(refused(upload), "device memory of its task 0 (MEMCPY_ASYNC")) << aclGetRecentErrMsg();
  EXPECT_TRUE(has(refused(download), "device memory of its task 0 (MEMCPY_ASYNC")) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, UnregisteredHostMemoryIs507011) {
  std::vector<float> host(2048);
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegister(host.data(), host.size() * 4, ACL_HOST_REGISTER_MAPPED, &device), 0)
      << aclGetRecentErrMsg();
  aclmdlRI model = capture(
      [&] { EXPECT_EQ(aclrtMemcpyAsync(kept.address(), 32, host.data(), 32, ACL_MEMCPY_HOST_TO_DEVICE, s), 0); });
  run(model, s);
  ASSERT_EQ(aclrtHostUnregister(host.data()), 0);
  EXPECT_TRUE(has(refused(model), "source of its task 0")) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, FreedWordIs507011) {
  std::optional<Word> word(1);
  aclmdlRI writes = capture([&] { EXPECT_EQ(aclrtValueWrite(word->address(), 1, 0, s), 0); });
  aclmdlRI waits = capture([&] { EXPECT_EQ(aclrtValueWait(word->address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0); });
  word.reset();
  EXPECT_TRUE(has(refused(writes), "word of its task 0 (MEM_WRITE_VALUE")) << aclGetRecentErrMsg();
  EXPECT_TRUE(has(refused(waits), "word of its task 0 (MEM_WAIT_VALUE")) << aclGetRecentErrMsg();
}

TEST_F(ModelLifetime, FreedMemoryThatTheModelDoesNotUseIsNoError) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(kept, s), 0); });
  run(model, s);
  freed.reset();
  run(model, s);
  EXPECT_EQ(kept.value(), 2);
}

// The bytes are in use again, at the same address, and belong to another allocation.
TEST_F(ModelLifetime, MemoryThatWasAllocatedAgainIs507011) {
  const void* address = freed->address();
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(*freed, s), 0); });
  freed.reset();
  freed.emplace(7.0F);
  ASSERT_EQ(freed->address(), address) << "the allocator gives the bytes to the next allocation of the size";
  EXPECT_TRUE(has(refused(model), hex(address)));
  sync(s);
  EXPECT_EQ(freed->value(), 7);
}

TEST_F(ModelLifetime, RefusedModelIsRefusedAgainAndCanBeDestroyed) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(*freed, s), 0); });
  freed.reset();
  refused(model);
  refused(model);
  destroyed(model);
  EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
}

// Updates

/// A model of one kernel in a task group.
class ModelLifetimeUpdate : public ModelLifetime {
 protected:
  void SetUp() override {
    ModelLifetime::SetUp();
    model = capture([&] {
      EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
      EXPECT_EQ(increment(*freed, s), 0);
      EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
    });
  }
  void update(const Cell& cell) {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
    EXPECT_EQ(increment(cell, side), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  }

  aclrtTaskGrp group = nullptr;
  aclmdlRI model = nullptr;
};

TEST_F(ModelLifetimeUpdate, TakesTheFreedMemoryOutOfTheModel) {
  freed.reset();
  refused(model);
  update(kept);
  run(model, s);
  EXPECT_EQ(kept.value(), 1);
}

// The first replay finds the old kernel well; nothing is freed between it and the second.
TEST_F(ModelLifetimeUpdate, BringsMemoryThatIsLookedAtWhenTheUpdateTakesPlace) {
  Word gate;
  std::optional<Cell> brief;
  brief.emplace();
  EXPECT_EQ(aclrtValueWait(gate.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, side), 0);
  update(*brief);
  brief.reset();
  run(model, s);
  gate.set(1);
  sync(side);
  refused(model);
}

// The switch

TEST_F(ModelLifetimeUnchecked, FreedMemoryIsNoErrorAndNoCrash) {
  std::optional<Pinned<float>> pinned(std::in_place, 8, 3.0F);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpyAsync(freed->address(), 32, pinned->data(), 32, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
    EXPECT_EQ(add(*freed, 1, kept, s), 0);
  });
  freed.reset();
  pinned.reset();
  run(model, s);
  EXPECT_EQ(kept.value(), 4);
}

}  // namespace
}  // namespace aclvk::test
