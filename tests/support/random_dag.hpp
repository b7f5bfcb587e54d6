#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "support/data_order.hpp"

namespace aclvk::test {

/// A random program on several streams, as a list of steps in an order in which they could run one after the other. The
/// first steps of a longer program are those of a shorter one with the same seed.
class RandomDag {
 public:
  enum class Kind {
    kAdd,     ///< cells[out] = cells[in] + by
    kReplay,  ///< kAdd, by a model
    kCopy,    ///< cells[out] = cells[in]
    kCall,    ///< a host function
    kGate,    ///< waits for a signal that the test gives after the launch of the whole program
    kSignal,  ///< releases the waits with the same number
    kWait,
  };
  /// The objects that signals and their waits, or gates, are made of.
  enum class Means { kEvent, kNotify, kExternal, kWord, kCount, kHost };

  struct Step {
    Kind kind = Kind::kCall;
    std::size_t stream = 0;
    std::size_t in = 0;
    std::size_t out = 0;
    float by = 0;
    Means means = Means::kEvent;
    std::size_t number = 0;  ///< of a signal and its waits: the index of the signal in the list
    std::vector<std::size_t> after{};

    // Computed by the host model:
    bool held = false;  ///< it comes after a gate
    float value = 0;    ///< what it leaves in its cell

    bool touches_cells() const { return kind == Kind::kAdd || kind == Kind::kReplay || kind == Kind::kCopy; }
    /// True for steps whose completion a program can observe.
    bool seen() const { return touches_cells() || kind == Kind::kCall; }
  };
  struct Size {
    std::size_t streams, cells, steps;
  };

  RandomDag(unsigned seed, Size size) : size_(size), random_(seed), data_(size.streams, size.cells) {
    last_.assign(size.streams, kNone);
    while (steps_.size() < size.steps) add_steps();
    steps_.resize(size.steps);  // may cut off the wait for a signal, which blocks no stream
    compute();
  }

  const std::vector<Step>& steps() const { return steps_; }
  const Size& size() const { return size_; }
  /// Returns the final values of the cells; cell i begins with i + 1.
  const std::vector<float>& values() const { return values_; }

  /// All steps in an order that a program may launch them in: that of each stream, and the record of an event before
  /// its waits. Others may be launched before what they wait for.
  std::vector<std::size_t> launch_order() {
    std::vector<std::vector<std::size_t>> left(size_.streams);
    for (std::size_t i = steps_.size(); i-- > 0;) left[steps_[i].stream].push_back(i);
    std::vector<bool> launched(steps_.size(), false);
    std::vector<std::size_t> order;
    while (order.size() < steps_.size()) {
      auto& stream = left[pick(size_.streams)];
      if (stream.empty()) continue;
      const Step& next = steps_[stream.back()];
      const bool needs_record = next.kind == Kind::kWait && next.means == Means::kEvent;
      if (needs_record && !launched[next.number]) continue;
      order.push_back(stream.back());
      launched[stream.back()] = true;
      stream.pop_back();
    }
    return order;
  }

  std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < steps_.size(); ++i) lines += std::to_string(i) + ": " + text_of(steps_[i]) + "\n";
    return lines;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t pick(std::size_t count) { return random_() % count; }

  void add(Step step) {
    if (last_[step.stream] != kNone) step.after.push_back(last_[step.stream]);
    last_[step.stream] = steps_.size();
    steps_.push_back(std::move(step));
  }

  void add_steps() {
    const std::size_t stream = pick(size_.streams);
    switch (pick(24)) {
      case 0: return add_gate(stream);
      case 1:
      case 2: return add_call(stream);
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
      case 8: return add_order(stream);
      default: return add_work(stream);
    }
  }

  // Gates are few, so that much of the program depends on none.
  void add_gate(std::size_t stream) {
    if (gates_ >= 1 + size_.streams / 6) return;
    ++gates_;
    Step step{Kind::kGate, stream};
    step.means = static_cast<Means>(1 + pick(5));
    add(step);
  }

  void add_call(std::size_t stream) { add({Kind::kCall, stream}); }

  void add_order(std::size_t from) {
    Step signal{Kind::kSignal, from};
    signal.means = static_cast<Means>(pick(5));
    signal.number = steps_.size();
    add(signal);
    // The first wait resets a notify; an event releases any number of waits.
    const std::size_t waits = signal.means == Means::kEvent ? 1 + pick(3) : 1;
    for (std::size_t i = 0; i < waits; ++i) {
      Step wait{Kind::kWait, pick(size_.streams)};
      wait.means = signal.means;
      wait.number = signal.number;
      wait.after.push_back(signal.number);
      data_.order(from, wait.stream);
      add(wait);
    }
  }

  void add_work(std::size_t stream) {
    const std::size_t in = pick(size_.cells), out = pick(size_.cells);
    const std::size_t kind = pick(8);
    const float by = static_cast<float>(pick(5)) - 2;
    if (!data_.safe(stream, in, out)) return;
    data_.add_task(stream, in, out);
    Step step{kind == 0 ? Kind::kReplay : Kind::kAdd, stream, in, out, by};
    if (kind < 3 && kind > 0 && in != out) {
      step.kind = Kind::kCopy;
      step.by = 0;
    }
    add(step);
  }

  // The host model: one step after the other.
  void compute() {
    for (std::size_t i = 0; i < size_.cells; ++i) values_.push_back(static_cast<float>(i + 1));
    for (Step& step : steps_) {
      step.held = step.kind == Kind::kGate;
      for (const std::size_t before : step.after) step.held = step.held || steps_[before].held;
      if (step.touches_cells()) step.value = values_[step.out] = values_[step.in] + step.by;
    }
  }

  static std::string text_of(const Step& step) {
    static const char* const kKinds[] = {"add", "replay", "copy", "call", "gate", "signal", "wait"};
    static const char* const kMeans[] = {"event", "notify", "external event", "word", "count", "host function"};
    std::string text = "stream " + std::to_string(step.stream) + " " + kKinds[static_cast<int>(step.kind)];
    if (step.touches_cells()) {
      text += " cell " + std::to_string(step.in) + " + " + std::to_string(static_cast<int>(step.by)) + " to cell " +
              std::to_string(step.out);
    } else if (step.kind != Kind::kCall) {
      text += std::string(" ") + kMeans[static_cast<int>(step.means)];
      if (step.kind != Kind::kGate) text += " of step " + std::to_string(step.number);
    }
    return text + (step.held ? " (held)" : "");
  }

  Size size_;
  std::mt19937 random_;
  DataOrder data_;
  std::vector<Step> steps_;
  std::vector<std::size_t> last_;  // step of each stream
  std::size_t gates_ = 0;
  std::vector<float> values_;
};

}  // namespace aclvk::test
