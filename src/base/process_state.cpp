#include "base/process_state.hpp"

#include <array>
#include <cassert>
#include <cstddef>

namespace aclvk {
namespace {

using End = void (*)();

constexpr auto kStates = static_cast<std::size_t>(StateId::kCount);

// One pass ends states in the right order, and a second one those that were used again; states that begin again for
// ever are an error that the caller reports.
constexpr int kMaxPasses = 3;

constexpr std::array<const char*, kStates> kNames = {
#define STATE(name) #name,
#include "base/process_states.def"
#undef STATE
};

std::array<std::atomic<End>, kStates> ends{};

// Ends the states from the last row to the first. A state that begins again after its row is left to the next
// pass.
void end_once() {
  for (std::size_t state = kStates; state-- > 0;) {
    if (const End end = ends.at(state).exchange(nullptr)) end();
  }
}

std::vector<const char*> begun() {
  std::vector<const char*> names;
  for (std::size_t state = 0; state < kStates; ++state) {
    if (ends.at(state).load()) names.push_back(kNames.at(state));
  }
  return names;
}

}  // namespace

void at_process_end(StateId id, End end) noexcept {
  [[maybe_unused]] const End before = ends[static_cast<std::size_t>(id)].exchange(end);
  assert((!before || before == end) && "Two states have one row of process_states.def.");
}

std::vector<const char*> end_process_states() {
  end_once();
  std::vector<const char*> late = begun();
  for (int pass = 1; pass < kMaxPasses && !begun().empty(); ++pass) end_once();
  ++detail::process_generation;
  return late;
}

}  // namespace aclvk
