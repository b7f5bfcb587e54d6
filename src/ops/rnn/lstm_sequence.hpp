#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

// An LSTM over sequences, as torch.nn.LSTM. A lane is a direction of a layer; lanes are numbered layer by layer, the
// reversed direction second.

struct LstmSizes {
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t features = 0;  ///< of the input
  std::int64_t size = 0;      ///< of h
  std::int64_t layers = 1;
  std::int64_t directions = 1;
  std::int64_t packed = -1;  ///< rows of the input, where sequences are packed
  bool batch_first = false;  ///< of the input and the result

  bool is_packed() const { return packed >= 0; }
  std::int64_t lanes() const { return layers * directions; }
  /// What a step of a layer reads of a sequence.
  std::int64_t width_of(std::int64_t layer) const { return layer == 0 ? features : directions * size; }
  /// A tensor of the batch's sequences as the program has it.
  Shape shape_of(std::int64_t columns) const;
};

/// What is saved of a lane for its gradients, each (steps, batch, H).
enum Saved : std::size_t { kSavedI, kSavedF, kSavedG, kSavedO, kSavedTanh, kSavedH, kSavedC, kSavedPerLane };

/// The weights of a lane: (4 H, width), (4 H, H), and two of 4 H or none. Gates are in the order i, f, g, o.
using LstmWeights = std::vector<Tensor>;

struct Lstm {
  const char* name;  ///< the operator's; a string literal
  LstmSizes sizes;
  Tensor input;
  std::optional<Tensor> batch_sizes;  ///< of the steps, where sequences are packed
  std::vector<LstmWeights> weights;   ///< of the lanes
  Tensor h;                           ///< before the first step, (lanes, batch, H)
  Tensor c;
};

struct LstmResults {
  Tensor output;
  Tensor h;  ///< behind the last step
  Tensor c;
  std::vector<std::array<Tensor, kSavedPerLane>> saved{};  ///< of the lanes; empty for nobody who needs it
};
Kernels lstm_kernels(const Lstm& lstm, const LstmResults& results, Staging& staging, runtime::Execution execution);

/// Gradients that are not wanted are null; the same for those that are not given, which are 0.
struct LstmGradient {
  std::vector<std::array<Tensor, kSavedPerLane>> saved;
  const Tensor* output;
  const Tensor* h;
  const Tensor* c;
  const Tensor* input;
  const Tensor* h_before;
  const Tensor* c_before;
  std::vector<LstmWeights> weights;  ///< empty if not wanted
};
Kernels lstm_gradient_kernels(const Lstm& lstm, const LstmGradient& gradient, Staging& staging,
                              runtime::Execution execution);

// What both need.

/// 207000 where the steps are so many that the host would be busy with them for long.
void check_steps(const LstmSizes& sizes);
/// (steps, batch, columns) from what the program has, in floats where it was packed.
Tensor by_steps(const Lstm& lstm, const Tensor& tensor, const Tensor* rows, Staging& staging, Kernels& before);
/// And back.
Kernels from_steps(const Lstm& lstm, const Tensor& by_steps, const Tensor* rows, const Tensor& tensor);
/// The rows of all steps, (steps * batch, columns): a view, or a copy.
Tensor all_rows(const Lstm& lstm, const Tensor& by_steps, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
