#pragma once

#include <cstddef>
#include <cstdint>

namespace raw {

/// A hand-written kernel of bench/shaders/, named "<workload>_<style>_<local size>".
struct Shader {
  const char* name;
  const std::uint32_t* words;
  std::size_t count;
};

extern const Shader kShaders[];
extern const std::size_t kShaderCount;

}  // namespace raw
