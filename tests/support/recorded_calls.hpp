#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/folder.hpp"

namespace aclvk::test {

using Json = nlohmann::json;

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the lines of a dump, in the order in which they were written.
inline std::vector<Json> recorded_calls(const std::string& folder) {
  std::vector<Json> calls;
  std::ifstream file(folder + "/calls.jsonl");
  for (std::string line; std::getline(file, line);) calls.push_back(Json::parse(line));
  return calls;
}

/// An argument of a call, by name.
inline Json argument_of(const Json& call, const std::string& name) {
  for (const Json& argument : call.at("arguments")) {
    if (argument.at("name") == name) return argument;
  }
  ADD_FAILURE() << "no argument " << name << " in " << call;
  return nullptr;
}

/// An .npy file of format 1.0.
struct Npy {
  std::string header;
  std::string data;

  explicit Npy(const std::string& path) {
    const std::string all = text_of_file(path);
    EXPECT_EQ(all.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length = static_cast<unsigned char>(all[8]) + 256U * static_cast<unsigned char>(all[9]);
    EXPECT_EQ((10 + length) % 64, 0U);
    header = all.substr(10, length);
    data = all.substr(10 + length);
  }

  template <typename T>
  std::vector<T> values() const {
    std::vector<T> values(data.size() / sizeof(T));
    if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
    return values;
  }
};

/// Returns the values of a tensor "before" or "after" the call.
template <typename T = float>
std::vector<T> recorded_values(const std::string& folder, const Json& call, const std::string& name,
                               const std::string& when) {
  const Json argument = argument_of(call, name);
  if (!argument.contains(when) || !argument.at(when).contains("file")) {
    ADD_FAILURE() << name << " has no values " << when << ": " << argument;
    return {};
  }
  return Npy(folder + "/" + argument.at(when).at("file").get<std::string>()).values<T>();
}

}  // namespace aclvk::test
