#pragma once

#include <cstddef>
#include <cstdint>
#include <thread>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {

/// Sets word 1 when it begins, and runs until word 0 is set. It ends without that, too: lavapipe ends a loop after
/// 65535 iterations, so there are many groups, which run one after the other; and it lets lanes without a thread run
/// all these iterations, so a group fills the eight lanes.
constexpr const char* kSpin = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) volatile coherent buffer Words { uint value[]; };
layout(push_constant) uniform Arguments { Words words; };
void main() {
  words.value[1] = 1;
  for (uint i = 0; words.value[0] == 0 && i < 4000000000u; ++i) words.value[2] = i;
}
)";

/// A kernel that runs on the device until release() or the end of the scope.
class Spinning {
 public:
  Spinning(aclrtFuncHandle spin, aclrtStream stream) {
    void* words = words_.data();
    const aclError launched =
        aclrtLaunchKernelWithHostArgs(spin, kGroups, stream, nullptr, &words, sizeof(words), nullptr, 0);
    EXPECT_EQ(launched, 0) << aclGetRecentErrMsg();
    while (launched == 0 && word(1) == 0) std::this_thread::yield();
  }
  ~Spinning() { release(); }
  Spinning(const Spinning&) = delete;
  Spinning& operator=(const Spinning&) = delete;

  void release() { word(0) = 1; }

 private:
  static constexpr std::uint32_t kGroups = 60000;

  volatile std::uint32_t& word(std::size_t i) const { return words_[i]; }

  Pinned<std::uint32_t> words_{4};
};

}  // namespace aclvk::test
