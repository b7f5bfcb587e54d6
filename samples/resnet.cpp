// A small residual network for images: the layers of ResNet-18 at an eighth of its width, with batch normalization
// folded into the convolutions, as for inference. The weights are random, the same in each run, and
// tools/resnet_golden.py computes the same with PyTorch; samples/expected/resnet.txt is its output.
//
// The network is captured once and replayed for each image; each image is copied to the same input tensor.
#include <algorithm>
#include <memory>

#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_relu.h"
#include "support/random.hpp"
#include "support/tensor.hpp"

namespace {

constexpr std::int64_t kImages = 3;
constexpr std::int64_t kSize = 64;
constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kWidths[] = {8, 16, 32, 64};

/// A tensor of one image: batch, channels, height, width.
struct Images {
  Images(std::int64_t count, std::int64_t side) : channels(count), size(side), tensor({1, count, side, side}) {}

  std::int64_t channels;
  std::int64_t size;
  Tensor tensor;
};
using ImagesPtr = std::shared_ptr<Images>;

/// Launches the layers on a stream. Tensors live as long as the network.
class Network {
 public:
  explicit Network(aclrtStream stream) : stream_(stream) {
    CHECK(aclrtMalloc(&workspace_, kWorkspace, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  ~Network() { aclrtFree(workspace_); }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  Images input{3, kSize};
  Tensor classes{{1, kClasses}};

  /// Launches all layers. Draws weights in the order in which layers use them.
  void run();

 private:
  static constexpr std::uint64_t kWorkspace = 64 << 20;  // shared by all operators, which run one after the other

  template <typename Plan, typename Launch>
  void launch(Plan&& plan, Launch&& launched) {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(plan(&bytes, &executor));
    if (bytes > kWorkspace) std::exit(2);
    CHECK(launched(workspace_, kWorkspace, executor, stream_));
  }

  ImagesPtr images(std::int64_t channels, std::int64_t size) {
    activations_.push_back(std::make_shared<Images>(channels, size));
    return activations_.back();
  }
  Tensor& weights(const std::vector<std::int64_t>& shape, float scale) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    weights_.push_back(std::make_unique<Tensor>(shape, random_.values(count, scale)));
    return *weights_.back();
  }

  ImagesPtr convolve(const Images& x, std::int64_t channels, std::int64_t side, std::int64_t stride);
  ImagesPtr block(const ImagesPtr& x, std::int64_t channels, std::int64_t stride);
  void relu(const Images& x);

  aclrtStream stream_;
  void* workspace_ = nullptr;
  Random random_;
  std::vector<ImagesPtr> activations_;
  std::vector<std::unique_ptr<Tensor>> weights_;
  std::vector<std::unique_ptr<Tensor>> indices_;
};

#define RUN(op, ...) \
  launch([&](auto* bytes, auto** executor) { return op##GetWorkspaceSize(__VA_ARGS__, bytes, executor); }, op)

ImagesPtr Network::convolve(const Images& x, std::int64_t channels, std::int64_t side, std::int64_t stride) {
  const std::int64_t padding = side / 2, one = 1, none = 0;
  // He initialization: the scale keeps the variance of activations, half of which ReLU sets to 0.
  const float scale = std::sqrt(6.0F / static_cast<float>(x.channels * side * side));
  Tensor& weight = weights({channels, x.channels, side, side}, scale);
  Tensor& bias = weights({channels}, 0.1F);
  const ImagesPtr out = images(channels, (x.size + 2 * padding - side) / stride + 1);
  aclIntArray* strides = aclCreateIntArray(&stride, 1);
  aclIntArray* paddings = aclCreateIntArray(&padding, 1);
  aclIntArray* dilations = aclCreateIntArray(&one, 1);
  aclIntArray* nothing = aclCreateIntArray(&none, 1);
  RUN(aclnnConvolution, x.tensor, weight, bias, strides, paddings, dilations, false, nothing, 1, out->tensor, 0);
  for (aclIntArray* array : {strides, paddings, dilations, nothing}) aclDestroyIntArray(array);
  return out;
}

void Network::relu(const Images& x) { RUN(aclnnInplaceRelu, x.tensor); }

ImagesPtr Network::block(const ImagesPtr& x, std::int64_t channels, std::int64_t stride) {
  const ImagesPtr inner = convolve(*x, channels, 3, stride);
  relu(*inner);
  const ImagesPtr y = convolve(*inner, channels, 3, 1);
  const bool fits = stride == 1 && x->channels == channels;
  const ImagesPtr shortcut = fits ? x : convolve(*x, channels, 1, stride);
  float one = 1;
  aclScalar* factor = aclCreateScalar(&one, ACL_FLOAT);
  RUN(aclnnInplaceAdd, y->tensor, shortcut->tensor, factor);
  aclDestroyScalar(factor);
  relu(*y);
  return y;
}

void Network::run() {
  ImagesPtr x = convolve(input, kWidths[0], 7, 2);
  relu(*x);
  const std::int64_t three = 3, two = 2, one = 1;
  aclIntArray* window = aclCreateIntArray(&three, 1);
  aclIntArray* strides = aclCreateIntArray(&two, 1);
  aclIntArray* padding = aclCreateIntArray(&one, 1);
  const ImagesPtr pooled = images(kWidths[0], (x->size - 1) / 2 + 1);
  indices_.push_back(
      std::make_unique<Tensor>(std::vector<std::int64_t>{1, kWidths[0], pooled->size, pooled->size}, ACL_INT32));
  RUN(aclnnMaxPool2dWithIndices, x->tensor, window, strides, padding, padding, false, pooled->tensor, *indices_.back());
  x = pooled;
  for (const std::int64_t width : kWidths) {
    x = block(x, width, width == kWidths[0] ? 1 : 2);
    x = block(x, width, 1);
  }

  const std::int64_t whole[] = {1, 1};
  aclIntArray* size = aclCreateIntArray(whole, 2);
  const ImagesPtr mean = images(x->channels, 1);
  RUN(aclnnAdaptiveAvgPool2d, x->tensor, size, mean->tensor);
  aclTensor* row = mean->tensor.view({1, x->channels});
  Tensor& weight = weights({x->channels, kClasses}, 0.3F);
  Tensor& bias = weights({kClasses}, 0.1F);
  float unit = 1;
  aclScalar* factor = aclCreateScalar(&unit, ACL_FLOAT);
  RUN(aclnnAddmm, bias, row, weight, factor, factor, classes, 0);
  aclDestroyScalar(factor);
  aclDestroyTensor(row);
  for (aclIntArray* array : {window, strides, padding, size}) aclDestroyIntArray(array);
}

void print(std::int64_t image, const std::vector<float>& classes) {
  const auto best = std::max_element(classes.begin(), classes.end()) - classes.begin();
  std::printf("image %lld is of class %lld:", static_cast<long long>(image), static_cast<long long>(best));
  for (const float value : classes) std::printf(" %.2f", static_cast<double>(value));
  std::printf("\n");
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  {
    Network network(stream);
    aclmdlRI model = nullptr;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    network.run();
    CHECK(aclmdlRICaptureEnd(stream, &model));
    Random pixels(7);
    for (std::int64_t image = 0; image < kImages; ++image) {
      network.input.tensor.set(pixels.values(3 * kSize * kSize, 1));
      CHECK(aclmdlRIExecuteAsync(model, stream));
      CHECK(aclrtSynchronizeStream(stream));
      print(image, network.classes.get<float>());
    }
    CHECK(aclmdlRIDestroy(model));
  }
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
