#include <map>
#include <memory>
#include <string>

#include "aclnnop/aclnn_einsum.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

/// A tensor of an equation without ellipses: its letters, and its strides.
struct Factor {
  std::string letters;
  View view{};
};

class Einsum : public OpTest {
 protected:
  using Sizes = std::map<char, std::int64_t>;

  static Shape shape_of(const std::string& letters, const Sizes& sizes) {
    Shape shape;
    for (const char letter : letters) shape.push_back(sizes.at(letter));
    return shape;
  }

  /// Small numbers: products of large unsigned ones have more digits than the reference.
  static void fill_factor(OpTensor& tensor, unsigned seed) {
    if (tensor.type() != ACL_UINT32 && tensor.type() != ACL_UINT64) {
      fill_eighths(tensor, seed);
    } else {
      tensor.fill([=](std::int64_t i) { return Real((i * 7 + seed) % 13); });
    }
  }

  /// Every term of the sum for an element of the result, walked letter by letter.
  static Number exact(const std::vector<Factor>& given, const std::vector<std::unique_ptr<OpTensor>>& tensors,
                      const Sizes& sizes, Sizes at, const std::string& rest) {
    if (rest.empty()) {
      Number product = 1;
      for (std::size_t i = 0; i < given.size(); ++i) {
        product *= tensors[i]->before(element_at(shape_of(given[i].letters, at), tensors[i]->shape()));
      }
      return product;
    }
    Number sum = 0;
    for (at[rest[0]] = 0; at[rest[0]] < sizes.at(rest[0]); ++at[rest[0]]) {
      sum += exact(given, tensors, sizes, at, rest.substr(1));
    }
    return sum;
  }

  /// Runs "letters,letters->output" and compares it with the definition.
  static void check_einsum(aclDataType type, const std::vector<Factor>& given, const std::string& output,
                           const Sizes& sizes, const View& view = {}, std::string equation = {}) {
    std::vector<std::unique_ptr<OpTensor>> tensors;
    std::vector<const OpTensor*> members;
    std::string all;
    for (const Factor& one : given) {
      tensors.push_back(std::make_unique<OpTensor>(type, shape_of(one.letters, sizes), one.view));
      fill_factor(*tensors.back(), static_cast<unsigned>(7 + tensors.size()));
      members.push_back(tensors.back().get());
      all += (all.empty() && tensors.size() == 1 ? "" : ",") + one.letters;
    }
    std::string summed;
    for (const auto& [letter, size] : sizes) {
      if (output.find(letter) == std::string::npos && all.find(letter) != std::string::npos) summed += letter;
    }
    if (equation.empty()) equation = all + "->" + output;
    SCOPED_TRACE("dtype " + std::to_string(type) + ": " + equation);
    const OpTensor out(type, shape_of(output, sizes), view);
    const OpList list(members);
    const auto bytes = run(
        [&](auto* n, auto** e) { return aclnnEinsumGetWorkspaceSize(list.get(), equation.c_str(), out.get(), n, e); },
        aclnnEinsum, members, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          Sizes at;
          const Shape coordinates = coordinates_of(i, out.shape());
          for (std::size_t k = 0; k < output.size(); ++k) at[output[k]] = coordinates[k];
          return held(exact(given, tensors, sizes, at, summed), type);
        },
        true);
  }

  /// The code of a call with these shapes.
  static aclnnStatus plan(const std::vector<Shape>& shapes, const char* equation, const Shape& result,
                          aclDataType last = ACL_FLOAT, aclDataType out_type = ACL_FLOAT) {
    std::vector<std::unique_ptr<OpTensor>> tensors;
    std::vector<const OpTensor*> members;
    for (const Shape& shape : shapes) {
      tensors.push_back(std::make_unique<OpTensor>(tensors.size() + 1 == shapes.size() ? last : ACL_FLOAT, shape));
      members.push_back(tensors.back().get());
    }
    const OpTensor out(out_type, result);
    const OpList list(members);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnEinsumGetWorkspaceSize(list.get(), equation, out.get(), &size, &executor);
    EXPECT_EQ(executor != nullptr, status == 0);
    if (executor) aclDestroyAclOpExecutor(executor);
    return status;
  }
};

const std::vector<aclDataType> kTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT16, ACL_UINT16,
                                         ACL_INT32, ACL_UINT32,  ACL_INT64, ACL_UINT64};

TEST_F(Einsum, MultipliesMatrices) {
  for (const aclDataType type : kTypes) {
    check_einsum(type, {{"ij"}, {"jk"}}, "ik", {{'i', 17}, {'j', 31}, {'k', 23}});
    check_einsum(type, {{"bij"}, {"bkj"}}, "bik", {{'b', 3}, {'i', 8}, {'j', 16}, {'k', 5}});
  }
}

TEST_F(Einsum, SumsAndTransposesOneTensor) {
  for (const aclDataType type : kTypes) {
    check_einsum(type, {{"ijk"}}, "ki", {{'i', 7}, {'j', 11}, {'k', 5}});
    check_einsum(type, {{"ijk"}}, "kji", {{'i', 7}, {'j', 11}, {'k', 5}});
    check_einsum(type, {{"ij"}}, "", {{'i', 13}, {'j', 3}});
  }
}

TEST_F(Einsum, TakesDiagonals) {
  for (const aclDataType type : {ACL_FLOAT, ACL_INT64}) {
    check_einsum(type, {{"ii"}}, "i", {{'i', 7}});
    check_einsum(type, {{"ii"}}, "", {{'i', 7}});
    check_einsum(type, {{"iji"}, {"jj"}}, "ji", {{'i', 5}, {'j', 3}});
    check_einsum(type, {{"iii"}}, "i", {{'i', 4}});
  }
}

TEST_F(Einsum, MultipliesWithoutSums) {
  for (const aclDataType type : kTypes) {
    check_einsum(type, {{"i"}, {"j"}}, "ji", {{'i', 7}, {'j', 5}});
    check_einsum(type, {{"ij"}, {"ij"}}, "ij", {{'i', 7}, {'j', 5}});
    check_einsum(type, {{""}, {"ij"}}, "ij", {{'i', 7}, {'j', 5}});
    check_einsum(type, {{""}, {""}}, "", {});
  }
}

TEST_F(Einsum, SumsWhatOnlyOneTensorHas) {
  check_einsum(ACL_FLOAT, {{"iaj"}, {"jkb"}}, "ik", {{'a', 3}, {'b', 2}, {'i', 5}, {'j', 7}, {'k', 4}});
  check_einsum(ACL_INT32, {{"ia"}, {"b"}}, "i", {{'a', 3}, {'b', 2}, {'i', 5}});
}

TEST_F(Einsum, MultipliesTensorsOfManyDims) {
  const Sizes sizes{{'a', 2}, {'b', 3}, {'c', 5}, {'d', 4}, {'e', 2}, {'f', 3}};
  check_einsum(ACL_FLOAT, {{"abcd"}, {"cdef"}}, "abef", sizes);
  check_einsum(ACL_FLOAT, {{"abcd"}, {"dcfe"}}, "feba", sizes);
  check_einsum(ACL_FLOAT16, {{"acbd"}, {"dceb"}}, "eba", sizes);
  check_einsum(ACL_INT64, {{"abcd"}, {"badf"}}, "fabc", sizes);
  check_einsum(ACL_FLOAT, {{"abcdef"}, {"abcdef"}}, "abcdef", sizes);
  check_einsum(ACL_FLOAT, {{"abcdef"}, {"fedcba"}}, "", sizes);
}

TEST_F(Einsum, MultipliesThreeAndMoreTensors) {
  const Sizes sizes{{'i', 5}, {'j', 7}, {'k', 3}, {'l', 4}, {'m', 2}};
  check_einsum(ACL_FLOAT, {{"ij"}, {"jk"}, {"kl"}}, "il", sizes);
  check_einsum(ACL_FLOAT16, {{"i"}, {"ij"}, {"j"}}, "", sizes);
  check_einsum(ACL_INT32, {{"ij"}, {"kl"}, {"jl"}, {"m"}}, "mik", sizes);
}

TEST_F(Einsum, ReadsAndWritesAnyStrides) {
  const Sizes sizes{{'i', 6}, {'j', 8}, {'k', 5}};
  check_einsum(ACL_FLOAT, {{"ij", {{1, 9}, 3}}, {"jk", {{12, 2}, 1}}}, "ik", sizes, {{2, 17}, 4});
  check_einsum(ACL_FLOAT, {{"ij", {{0, 1}, 3}}, {"kj", {{8, 1}, 0}}}, "ki", sizes);
  check_einsum(ACL_INT16, {{"ijk", {{1, 6, 50}, 3}}}, "kj", sizes, {{1, 7}, 1});
}

TEST_F(Einsum, KnowsEllipses) {
  const Sizes sizes{{'a', 3}, {'b', 2}, {'i', 5}, {'j', 7}, {'k', 4}};
  check_einsum(ACL_FLOAT, {{"abij"}, {"bjk"}}, "abik", sizes, {}, "...ij,...jk->...ik");
  check_einsum(ACL_FLOAT, {{"abij"}, {"jk"}}, "abik", sizes, {}, "...ij,...jk");
  check_einsum(ACL_FLOAT, {{"iabj"}}, "ji", sizes, {}, "i...j->ji");
  check_einsum(ACL_INT32, {{"iabj"}}, "abij", sizes, {}, " i...j ");
}

TEST_F(Einsum, RepeatsDimsOfOneElement) {
  OpTensor first(ACL_FLOAT, {3, 1});
  OpTensor second(ACL_FLOAT, {5, 4});
  fill_eighths(first, 1);
  fill_eighths(second, 2);
  const OpList list({&first, &second});
  const OpTensor out(ACL_FLOAT, {3, 4});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnEinsumGetWorkspaceSize(list.get(), "ij,jk", out.get(), n, e); },
          aclnnEinsum, {&first, &second}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) {
        Number sum = 0;
        for (std::int64_t j = 0; j < 5; ++j) sum += first.before(i / 4) * second.before(4 * j + i % 4);
        return sum;
      },
      true);
}

TEST_F(Einsum, OfNothingIsZero) {
  check_einsum(ACL_FLOAT, {{"ij"}, {"jk"}}, "ik", {{'i', 3}, {'j', 0}, {'k', 2}});
  check_einsum(ACL_INT32, {{"ij"}}, "i", {{'i', 3}, {'j', 0}});
  check_einsum(ACL_FLOAT, {{"ij"}, {"jk"}}, "ik", {{'i', 0}, {'j', 4}, {'k', 2}});
  check_einsum(ACL_FLOAT, {{"ia"}, {"ib"}}, "i", {{'i', 3}, {'a', 0}, {'b', 2}});
}

TEST_F(Einsum, IntegersWrap) {
  OpTensor first(ACL_INT16, {2});
  OpTensor second(ACL_INT16, {2});
  first.fill([](std::int64_t) { return 300; });
  second.fill([](std::int64_t) { return 200; });
  const OpList list({&first, &second});
  const OpTensor out(ACL_INT16, {});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnEinsumGetWorkspaceSize(list.get(), "i,i", out.get(), n, e); },
          aclnnEinsum, {&first, &second}, out);
  EXPECT_EQ(out.in(bytes, 0).real(), 120000 - 2 * 65536);
}

TEST_F(Einsum, RefusesWhatDoesNotFit) {
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, "ij,jk->ik", {2, 4}), 0);
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, nullptr, {2, 4}), 161001);
  EXPECT_EQ(plan({}, "->", {}), 161002);
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, "ij,jk->ik", {4, 2}), 161002);
  EXPECT_EQ(plan({{2, 3}, {5, 4}}, "ij,jk->ik", {2, 4}), 161002);
  EXPECT_EQ(plan({{2, 3}}, "ii->i", {2}), 161002);
  EXPECT_EQ(plan({{2, 3}}, "ij->ijk", {2, 3, 1}), 161002);
  EXPECT_EQ(plan({{2, 3}}, "ij,jk->ik", {2, 3}), 161002);
  EXPECT_EQ(plan({{2, 3}}, "i?->i", {2}), 161002);
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, "ij,jk->ik", {2, 4}, ACL_FLOAT16), 161002);
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, "ij,jk->ik", {2, 4}, ACL_DOUBLE), 161002);
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, "ij,jk->ik", {2, 4}, ACL_FLOAT, ACL_INT32), 161002);
  EXPECT_EQ(plan({{2, 3}, {3, 4}}, "ij,jk->ik", {2, 4}, ACL_FLOAT, ACL_FLOAT16), 0);

  const OpTensor tensor(ACL_FLOAT, {2});
  const OpList list({&tensor});
  const OpList hole({nullptr});
  const OpTensor out(ACL_FLOAT, {2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnEinsumGetWorkspaceSize(nullptr, "i", out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnEinsumGetWorkspaceSize(hole.get(), "i", out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnEinsumGetWorkspaceSize(list.get(), "i", nullptr, &size, &executor), 161001);
}

}  // namespace
}  // namespace aclvk::test
