#include "ops/elementwise/pointwise_plan.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/at_fork_lock.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

// The widest access of a kernel. Addresses modulo this decide which kernel is chosen.
constexpr std::uintptr_t kLine = 32;
// The key of an input that shares no memory with the output, in place of their distance. No real distance is that
// large.
constexpr std::uint64_t kDisjoint = std::uint64_t{1} << 63;

// Addresses are numbers here, because placeholders allow no pointer arithmetic.
std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Appends words to a key without reallocation.
class Words {
 public:
  explicit Words(PointwiseKey& key) : at_(key.begin()) {}

  void add(std::uint64_t word) { *at_++ = word; }
  void add(const Shape& shape) { at_ = std::copy(shape.begin(), shape.end(), at_); }
  void add(const Tensor& tensor) {
    add(static_cast<std::uint64_t>(tensor.dtype) | tensor.shape.size() << 32);
    add(tensor.shape);
    add(tensor.strides);
    add(static_cast<std::uint64_t>(tensor.offset));
    add(number(tensor.address()) % kLine);
  }
  void add(const Scalar& scalar) {
    const auto words = scalar.to_element(scalar.dtype());
    add(static_cast<std::uint64_t>(scalar.dtype()));
    add(words[0] | std::uint64_t{words[1]} << 32);
    add(words[2] | std::uint64_t{words[3]} << 32);
  }

  std::uint64_t* end() const { return at_; }

 private:
  std::uint64_t* at_;
};

constexpr std::size_t kWordsOfCall = 3;
constexpr std::size_t kMaxWordsOfInput = 6;  // beside sizes and strides

std::size_t max_words(const PointwiseCall& call) {
  std::size_t words = kWordsOfCall + kMaxWordsOfInput + 2 * call.out->shape.size();
  for (const auto* list : {&call.inputs, &call.attributes}) {
    for (const PointwiseInput& input : *list) {
      words += kMaxWordsOfInput + (input.tensor ? 2 * input.tensor->shape.size() : 0);
    }
  }
  return words;
}

std::uint64_t distance(const Tensor& input, const Tensor& out, const ByteSpan& written) {
  const ByteSpan read = span_of(input);
  const bool disjoint = read.end <= written.begin || written.end <= read.begin;
  return disjoint ? kDisjoint : number(input.address()) - number(out.address());
}

// FNV-1a over words, in two independent streams so that their multiplications overlap.
std::uint64_t hash(const PointwiseKey& key) {
  constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t even = 14695981039346656037U;
  std::uint64_t odd = key.size();
  const std::uint64_t* word = key.begin();
  for (; key.end() - word >= 2; word += 2) {
    even = (even ^ word[0]) * kPrime;
    odd = (odd ^ word[1]) * kPrime;
  }
  if (word != key.end()) even = (even ^ *word) * kPrime;
  const std::uint64_t both = even ^ odd * kPrime;
  return both ^ both >> 32;
}

/// A direct-mapped cache: an entry for each value of the hash's last bits. A new plan replaces the old one.
class Plans {
 public:
  PointwisePlanPtr find(const PointwiseKey& key) {
    const std::uint64_t at = hash(key);
    const LockGuard lock(mutex_);
    const Entry& entry = entries_[at % kEntries];
    const bool same = entry.plan && std::equal(entry.key.begin(), entry.key.end(), key.begin(), key.end());
    return same ? entry.plan : nullptr;
  }

  void keep(const PointwiseKey& key, PointwisePlanPtr plan) {
    Entry next{{key.begin(), key.end()}, std::move(plan)};
    const std::uint64_t at = hash(key);
    const LockGuard lock(mutex_);
    std::swap(entries_[at % kEntries], next);
  }

 private:
  /// More entries hold more of the different calls of a program, and more memory.
  static constexpr std::size_t kEntries = 512;

  struct Entry {
    std::vector<std::uint64_t> key;
    PointwisePlanPtr plan;
  };

  Mutex mutex_;
  AtForkLock held_{mutex_};
  std::array<Entry, kEntries> entries_ GUARDED_BY(mutex_);
};

Plans& plans() { return ProcessState<Plans, StateId::kPointwisePlans>::get(); }
[[maybe_unused]] const bool kMade = (plans(), true);  // when the library is loaded: no launch pays for it

}  // namespace

PointwiseTensors tensors_of(const PointwiseCall& call) {
  const auto is_tensor = [](const PointwiseInput& input) { return input.tensor != nullptr; };
  const Tensor* first = std::find_if(call.inputs.begin(), call.inputs.end(), is_tensor)->tensor.get();
  PointwiseTensors tensors;
  for (const PointwiseInput& input : call.inputs) tensors.push_back(input.tensor ? input.tensor.get() : first);
  tensors.push_back(call.out.get());
  return tensors;
}

PointwisePlan::PointwisePlan(const PointwiseCall& call, const PointwiseRow& row, DType promoted)
    : fixed_(pointwise_constants(call, row, promoted)), out_name_(call.out_name) {
  for (const PointwiseInput& input : call.inputs) inputs_.push_back({input.name, input.tensor == nullptr});
  const PointwiseTensors tensors = tensors_of(call);
  kernels_ = build(tensors);
  for (runtime::Kernel& kernel : kernels_) {
    for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
      const void*& address = kernel.operands[i].address;
      // Stored relative to its tensor, so that add_kernels_at() only adds an address.
      address = reinterpret_cast<const void*>(number(address) - number(tensors[i]->address()));
    }
  }
}

Kernels PointwisePlan::build(const PointwiseTensors& bound) const {
  const Tensor& out = *bound.back();
  check_distinct(out, out_name_);
  StridedCall run = fixed_;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_scalar) check_overlap(out, out_name_, *bound[i], inputs_[i].name);
    run.operands.push_back({bound[i], Access::kRead, inputs_[i].is_scalar});
  }
  run.operands.push_back({&out, Access::kWrite, false});
  return strided_kernels(run);
}

void PointwisePlan::add_kernels_at(const PointwiseTensors& bound, Kernels& kernels) const {
  for (const runtime::Kernel& planned : kernels_) {
    runtime::Kernel& kernel = kernels.emplace_back(planned);
    for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
      const void*& address = kernel.operands[i].address;
      address = at_byte_offset(bound[i]->address(), static_cast<std::int64_t>(number(address)));
    }
  }
}

PointwiseKey key_of(const PointwiseCall& call, const PointwiseRow& row) {
  PointwiseKey key(max_words(call));
  Words words(key);
  // Names and tables are static, so that their addresses identify them.
  words.add(number(call.name));
  words.add(number(row.shaders));
  words.add(row.number | number(call.out_name) << 8);
  words.add(*call.out);
  const ByteSpan written = span_of(*call.out);
  for (const auto* list : {&call.inputs, &call.attributes}) {
    for (const PointwiseInput& input : *list) {
      words.add(number(input.name) << 1 | std::uint64_t{input.omitted});
      if (input.scalar) {
        words.add(*input.scalar);
      } else {
        words.add(*input.tensor);
        words.add(distance(*input.tensor, *call.out, written));
      }
    }
  }
  key.resize(static_cast<std::size_t>(words.end() - key.begin()));
  return key;
}

PointwisePlanPtr plan_of(const PointwiseCall& call, const PointwiseRow& row, const PointwiseKey& key) {
  if (PointwisePlanPtr entry = plans().find(key)) return entry;
  auto plan = std::make_shared<const PointwisePlan>(call, row, check_pointwise(call, row));
  plans().keep(key, plan);
  return plan;
}

}  // namespace aclvk::ops
