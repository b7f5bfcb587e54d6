#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// LSTMs over sequences as in torch.nn.LSTM. A lane is a direction of a layer. Lanes are numbered layer by layer, the
// reversed direction second.

struct LstmSizes {
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t features = 0;  ///< columns of the input
  std::int64_t size = 0;      ///< H, the hidden size
  std::int64_t layers = 1;
  std::int64_t directions = 1;
  std::int64_t packed = -1;  ///< rows of packed sequences; -1 for padded ones
  bool batch_first = false;  ///< layout of the input and the output

  bool is_packed() const { return packed >= 0; }
  std::int64_t lanes() const { return layers * directions; }
  /// Returns the columns that a layer reads.
  std::int64_t width_of(std::int64_t layer) const { return layer == 0 ? features : directions * size; }
  /// Returns the shape of a sequence tensor in the program's layout.
  Shape shape_of(std::int64_t columns) const;
};

/// The activations of a lane that its gradient needs, each (steps, batch, H).
enum Saved : std::size_t { kSavedI, kSavedF, kSavedG, kSavedO, kSavedTanh, kSavedH, kSavedC, kSavedPerLane };

/// The weights of a lane: W_ih (4 H, width), W_hh (4 H, H), and b_ih, b_hh (4 H) or none. Gates are in the order i, f,
/// g, o.
using LstmWeights = std::vector<Tensor>;

struct Lstm {
  const char* name;  ///< the operator's C name; a string literal
  LstmSizes sizes;
  Tensor input;
  std::optional<Tensor> batch_sizes;  ///< rows of each step of packed sequences
  std::vector<LstmWeights> weights;   ///< one a lane
  Tensor h;                           ///< initial states, (lanes, batch, H)
  Tensor c;
};

struct LstmResults {
  Tensor output;
  Tensor h;  ///< final states, (lanes, batch, H)
  Tensor c;
  std::vector<std::array<Tensor, kSavedPerLane>> saved{};  ///< one a lane; empty without training
};
Kernels lstm_kernels(const Lstm& lstm, const LstmResults& results, Staging& staging, runtime::Execution execution);

/// The tensors of a gradient. Null incoming gradients count as 0; null outputs are not requested.
struct LstmGradient {
  std::vector<std::array<Tensor, kSavedPerLane>> saved;
  const Tensor* output;  ///< incoming: of the output, and of the final h and c
  const Tensor* h;
  const Tensor* c;
  const Tensor* input;  ///< results: of the input, and of the initial h and c
  const Tensor* h_before;
  const Tensor* c_before;
  std::vector<LstmWeights> weights;  ///< outputs; empty if not requested
};
Kernels lstm_gradient_kernels(const Lstm& lstm, const LstmGradient& gradient, Staging& staging,
                              runtime::Execution execution);

// Steps that forward and gradient share.

/// 207000 if the sequence needs more kernels than an operator may have: two for each step of each lane.
void check_steps(const LstmSizes& sizes);
/// Returns (steps, batch, columns): a view, or unpacked floats where `rows`, the packed rows, is not null.
Tensor by_steps(const Lstm& lstm, const Tensor& tensor, const Tensor* rows, Staging& staging, Kernels& before);
/// Writes (steps, batch, columns) to a tensor in the program's layout; packs it where `rows` is not null.
Kernels from_steps(const Lstm& lstm, const Tensor& by_steps, const Tensor* rows, const Tensor& tensor);
/// Returns (steps * batch, columns), a view where strides allow it, else a copy.
Tensor all_rows(const Lstm& lstm, const Tensor& by_steps, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
