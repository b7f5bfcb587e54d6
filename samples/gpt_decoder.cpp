// A small GPT-style decoder generates 64 tokens: RMSNorm, rotary position embedding, grouped-query attention over a
// key-value cache, SwiGLU, and sampling. The weights are random, the same in each run, and tools/gpt_golden.py computes
// the same with PyTorch; samples/expected/gpt_decoder.txt is its output.
//
// A step generates one token. It is captured once and replayed 64 times. Token and position are in device memory, where
// the step updates them itself. Only the number of keys for attention is an argument, so attention is a task group,
// which is updated for each step while its replay waits for an event. The speeds with and without a model are printed
// to standard error.
#include <chrono>
#include <cmath>
#include <memory>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_rope_with_sin_cos_cache.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "support/random.hpp"
#include "support/tensor.hpp"

namespace {

constexpr std::int64_t kTokens = 64;
constexpr std::int64_t kPositions = kTokens + 1;  // the first token is given
constexpr std::int64_t kVocabulary = 256;
constexpr std::int64_t kHidden = 64;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kKeyHeads = 2;
constexpr std::int64_t kHeadSize = 16;
constexpr std::int64_t kKeyWidth = kKeyHeads * kHeadSize;
constexpr std::int64_t kInner = 128;
constexpr std::int64_t kLayers = 2;
constexpr double kEpsilon = 1e-6;
constexpr float kTemperature = 0.7F;

/// A random matrix whose scale keeps the variance of activations.
std::unique_ptr<Tensor> matrix(Random& random, std::int64_t rows, std::int64_t columns) {
  const float scale = std::sqrt(3.0F / static_cast<float>(rows));
  return std::make_unique<Tensor>(std::vector<std::int64_t>{rows, columns}, random.values(rows * columns, scale));
}
std::unique_ptr<Tensor> gains(Random& random) {
  return std::make_unique<Tensor>(std::vector<std::int64_t>{kHidden}, random.values(kHidden, 0.25F, 1));
}

/// Returns the cosines, then the sines, of each position.
std::vector<float> cos_sin_table() {
  std::vector<float> values;
  for (std::int64_t position = 0; position < kPositions; ++position) {
    for (const bool sine : {false, true}) {
      for (std::int64_t i = 0; i < kHeadSize / 2; ++i) {
        const double angle =
            static_cast<double>(position) * std::pow(10000.0, -2.0 * static_cast<double>(i) / kHeadSize);
        values.push_back(static_cast<float>(sine ? std::sin(angle) : std::cos(angle)));
      }
    }
  }
  return values;
}

struct Layer {
  explicit Layer(Random& random)
      : attention_gain(gains(random)),
        query(matrix(random, kHidden, kHidden)),
        key(matrix(random, kHidden, kKeyWidth)),
        value(matrix(random, kHidden, kKeyWidth)),
        output(matrix(random, kHidden, kHidden)),
        inner_gain(gains(random)),
        up(matrix(random, kHidden, 2 * kInner)),
        down(matrix(random, kInner, kHidden)),
        keys({kPositions, kKeyWidth}),
        values({kPositions, kKeyWidth}) {
    aclTensor* all_keys = keys.view({1, kPositions, kKeyWidth});
    aclTensor* all_values = values.view({1, kPositions, kKeyWidth});
    key_list = aclCreateTensorList(&all_keys, 1);
    value_list = aclCreateTensorList(&all_values, 1);
  }
  ~Layer() {
    aclDestroyTensorList(key_list);
    aclDestroyTensorList(value_list);
  }
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  std::unique_ptr<Tensor> attention_gain, query, key, value, output, inner_gain, up, down;
  Tensor keys, values;  // of all positions
  aclTensorList* key_list = nullptr;
  aclTensorList* value_list = nullptr;
  aclrtTaskGrp group = nullptr;
};

class Decoder {
 public:
  Decoder() {
    CHECK(aclrtMalloc(&workspace_, kWorkspace, ACL_MEM_MALLOC_HUGE_FIRST));
    for (std::int64_t i = 0; i < kLayers; ++i) layers_.push_back(std::make_unique<Layer>(random_));
    attended_ = attended.view({1, 1, kHidden});
    rotated_ = rotated_query.view({1, 1, kHidden});
  }
  ~Decoder() {
    aclDestroyTensor(attended_);
    aclDestroyTensor(rotated_);
    aclrtFree(workspace_);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  std::vector<std::unique_ptr<Layer>>& layers() { return layers_; }

  /// Resets to the first token.
  void begin() {
    std::vector<std::int64_t> first(kPositions, 0);
    first[0] = 1;
    tokens.set(first);
    token.set(std::vector<std::int64_t>{1});
    position.set(std::vector<std::int64_t>{0});
  }
  std::vector<std::int64_t> written() const { return tokens.get<std::int64_t>(); }
  std::vector<float> last_logits() const { return logits.get<float>(); }

  /// Generates one token. `launch_attention` gets each layer and its attention, to launch it, possibly as a task group.
  template <typename LaunchAttention>
  void step(aclrtStream stream, std::int64_t length, LaunchAttention&& launch_attention);

  /// Launches attention of a layer over the first `length` positions.
  void attend(aclrtStream stream, const Layer& layer, std::int64_t length) {
    aclIntArray* lengths = aclCreateIntArray(&length, 1);
    char layout[] = "BSH";
    const double scale = 1 / std::sqrt(static_cast<double>(kHeadSize));
    run(
        [&](auto* bytes, auto** executor) {
          return aclnnFusedInferAttentionScoreGetWorkspaceSize(
              rotated_, layer.key_list, layer.value_list, nullptr, nullptr, nullptr, lengths, nullptr, nullptr, nullptr,
              nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, kHeads, scale, INT32_MAX, INT32_MAX,
              layout, kKeyHeads, 0, 0, 0, 0, false, attended_, nullptr, bytes, executor);
        },
        aclnnFusedInferAttentionScore, stream);
    aclDestroyIntArray(lengths);
  }

 private:
  static constexpr std::uint64_t kWorkspace = 1 << 20;  // shared by all operators, which run one after the other

  template <typename Plan, typename Launch>
  void run(Plan&& plan, Launch launch, aclrtStream stream) {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(plan(&bytes, &executor));
    CHECK(launch(workspace_, kWorkspace, executor, stream));
  }

  Random random_;
  void* workspace_ = nullptr;
  Tensor embedding{{kVocabulary, kHidden}, random_.values(kVocabulary* kHidden, 1)};
  Tensor uniform{{kPositions, 1}, random_.values(kPositions, 0.5F, 0.5F)};
  Tensor last_gain{{kHidden}, random_.values(kHidden, 0.25F, 1)};
  Tensor head{{kHidden, kVocabulary}, random_.values(kHidden* kVocabulary, 0.5F)};
  std::vector<std::unique_ptr<Layer>> layers_;
  Tensor cos_sin_cache{{kPositions, kHeadSize}, cos_sin_table()};
  Tensor tokens{{kPositions}, ACL_INT64}, token{{1}, ACL_INT64}, position{{1}, ACL_INT64};
  Tensor x{{1, kHidden}}, y{{1, kHidden}}, normed{{1, kHidden}}, deviation{{1, 1}};
  Tensor query{{1, kHidden}}, key{{1, kKeyWidth}}, value{{1, kKeyWidth}};
  Tensor rotated_query{{1, kHidden}}, rotated_key{{1, kKeyWidth}}, attended{{1, kHidden}}, added{{1, kHidden}};
  Tensor wide{{1, 2 * kInner}}, inner{{1, kInner}};
  Tensor logits{{1, kVocabulary}}, scaled_logits{{1, kVocabulary}}, probabilities{{1, kVocabulary}},
      cumulative{{1, kVocabulary}};
  Tensor draw{{1, 1}}, below{{1, kVocabulary}, ACL_BOOL};
  aclTensor* attended_ = nullptr;
  aclTensor* rotated_ = nullptr;
};

#define RUN(op, ...) \
  run([&](auto* bytes, auto** executor) { return op##GetWorkspaceSize(__VA_ARGS__, bytes, executor); }, op, stream)

template <typename LaunchAttention>
void Decoder::step(aclrtStream stream, std::int64_t length, LaunchAttention&& launch_attention) {
  RUN(aclnnEmbedding, embedding, token, x);
  RUN(aclnnRmsNorm, x, *layers_.front()->attention_gain, kEpsilon, normed, deviation);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& layer = *layers_[i];
    RUN(aclnnMm, normed, *layer.query, query, 0);
    RUN(aclnnMm, normed, *layer.key, key, 0);
    RUN(aclnnMm, normed, *layer.value, value, 0);
    RUN(aclnnRopeWithSinCosCache, position, query, key, cos_sin_cache, nullptr, kHeadSize, true, rotated_query,
        rotated_key);
    RUN(aclnnInplaceIndexCopy, layer.keys, 0, position, rotated_key);
    RUN(aclnnInplaceIndexCopy, layer.values, 0, position, value);
    launch_attention(layer, [&] { attend(stream, layer, length); });
    RUN(aclnnMm, attended, *layer.output, added, 0);
    RUN(aclnnAddRmsNorm, x, added, *layer.inner_gain, kEpsilon, normed, deviation, y);
    RUN(aclnnMm, normed, *layer.up, wide, 0);
    RUN(aclnnSwiGlu, wide, -1, inner);
    RUN(aclnnMm, inner, *layer.down, added, 0);
    const aclTensor* gain = i + 1 < layers_.size() ? *layers_[i + 1]->attention_gain : last_gain;
    RUN(aclnnAddRmsNorm, y, added, gain, kEpsilon, normed, deviation, x);
  }
  RUN(aclnnMm, normed, head, logits, 0);

  // Samples a token: the number of cumulative probabilities below the draw is its index.
  float inverse_temperature = 1 / kTemperature;
  const std::int64_t last = -1;
  std::int64_t one = 1;
  aclScalar* factor = aclCreateScalar(&inverse_temperature, ACL_FLOAT);
  aclScalar* next = aclCreateScalar(&one, ACL_INT64);
  aclIntArray* dims = aclCreateIntArray(&last, 1);
  RUN(aclnnMuls, logits, factor, scaled_logits);
  RUN(aclnnSoftmax, scaled_logits, -1, probabilities);
  RUN(aclnnCumsum, probabilities, -1, ACL_FLOAT, cumulative);
  RUN(aclnnEmbedding, uniform, position, draw);
  RUN(aclnnLtTensor, cumulative, draw, below);
  RUN(aclnnReduceSum, below, dims, false, ACL_INT64, token);
  RUN(aclnnInplaceAdds, position, next, next);
  RUN(aclnnInplaceIndexCopy, tokens, 0, position, token);
  aclDestroyIntArray(dims);
  aclDestroyScalar(next);
  aclDestroyScalar(factor);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Generates all tokens eagerly. Returns tokens per second.
double write_eagerly(Decoder& decoder, aclrtStream stream) {
  decoder.begin();
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t length = 1; length <= kTokens; ++length) {
    decoder.step(stream, length, [](Layer&, auto&& attend) { attend(); });
  }
  CHECK(aclrtSynchronizeStream(stream));
  return kTokens / seconds_since(start);
}

/// Captures a model of one step. Updates of its task groups set the length of attention.
aclmdlRI capture(Decoder& decoder, aclrtStream stream, aclrtEvent ready) {
  aclmdlRI model = nullptr;
  CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  CHECK(aclrtStreamWaitEvent(stream, ready));
  CHECK(aclrtResetEvent(ready, stream));  // so that the next replay waits again
  decoder.step(stream, 1, [&](Layer& layer, auto&& attend) {
    CHECK(aclmdlRICaptureTaskGrpBegin(stream));
    attend();
    CHECK(aclmdlRICaptureTaskGrpEnd(stream, &layer.group));
  });
  CHECK(aclmdlRICaptureEnd(stream, &model));
  return model;
}

/// Generates the same tokens by replays. Returns tokens per second.
double write_by_replays(Decoder& decoder, aclmdlRI model, aclrtStream stream, aclrtStream update_stream,
                        aclrtEvent ready) {
  decoder.begin();
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t length = 1; length <= kTokens; ++length) {
    CHECK(aclmdlRIExecuteAsync(model, stream));  // the replay waits for the event ...
    for (const auto& layer : decoder.layers()) {
      CHECK(aclmdlRICaptureTaskUpdateBegin(update_stream, layer->group));
      decoder.attend(update_stream, *layer, length);
      CHECK(aclmdlRICaptureTaskUpdateEnd(update_stream));
    }
    CHECK(aclrtRecordEvent(ready, update_stream));  // ... and may continue now
    CHECK(aclrtSynchronizeStream(stream));
  }
  return kTokens / seconds_since(start);
}

void print(const Decoder& decoder) {
  const auto tokens = decoder.written();
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    std::printf("%4lld%s", static_cast<long long>(tokens[i]), i % 16 == 0 ? "\n" : "");
  }
  std::printf("the last logits begin with");
  const auto logits = decoder.last_logits();
  for (std::size_t i = 0; i < 6; ++i) std::printf(" %.3f", static_cast<double>(logits[i]));
  std::printf("\n");
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr, update_stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtCreateStream(&update_stream));
  aclrtEvent ready = nullptr;  // EXTERNAL: recorded outside the model, waited for inside
  CHECK(aclrtCreateEventWithFlag(&ready, ACL_EVENT_EXTERNAL));
  {
    Decoder decoder;
    write_eagerly(decoder, stream);  // once for the driver's compiler
    const double eager = write_eagerly(decoder, stream);
    std::printf("eager\n");
    print(decoder);

    aclmdlRI model = capture(decoder, stream, ready);
    write_by_replays(decoder, model, stream, update_stream, ready);
    const double replayed = write_by_replays(decoder, model, stream, update_stream, ready);
    std::printf("replayed\n");
    print(decoder);
    std::fprintf(stderr, "tokens per second: %.0f eager, %.0f replayed\n", eager, replayed);
    CHECK(aclmdlRIDestroy(model));
  }
  CHECK(aclrtDestroyEvent(ready));
  CHECK(aclrtDestroyStream(update_stream));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
