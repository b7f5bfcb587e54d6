#include "ops/matmul/products/equation.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

constexpr int label(char letter) { return letter <= 'Z' ? letter - 'A' : 26 + letter - 'a'; }
constexpr int kFirstDim = kLetters;  // of an ellipsis

Labels labels(const char* letters) {
  Labels all;
  for (; *letters; ++letters) all.push_back(label(*letters));
  return all;
}

TEST(Equations, HaveLettersForDims) {
  const Equation equation = parse_equation("ij,jK->iK", {2, 2});
  EXPECT_EQ(equation.operands, (std::vector<Labels>{labels("ij"), labels("jK")}));
  EXPECT_EQ(equation.output, labels("iK"));
}

TEST(Equations, MayHaveSpacesAnywhereButInAnArrow) {
  const Equation equation = parse_equation(" i j , j ->  i", {2, 1});
  EXPECT_EQ(equation.operands, (std::vector<Labels>{labels("ij"), labels("j")}));
  EXPECT_EQ(equation.output, labels("i"));
  EXPECT_THROW(parse_equation("ij- >i", {2}), Error);
}

TEST(Equations, WithoutAnOutputHaveWhatStandsOnceInOrder) {
  EXPECT_EQ(parse_equation("kj,ji", {2, 2}).output, labels("ik"));
  EXPECT_EQ(parse_equation("bA,Ca", {2, 2}).output, labels("ACab"));
  EXPECT_EQ(parse_equation("ii", {2}).output, Labels{});
  EXPECT_EQ(parse_equation("", {0}).output, Labels{});
  EXPECT_EQ(parse_equation(",", {0, 0}).operands.size(), 2U);
}

TEST(Equations, CountTheDimsOfAnEllipsisFromTheRight) {
  const Equation equation = parse_equation("i...j,...j", {4, 2});
  EXPECT_EQ(equation.operands[0], (Labels{label('i'), kFirstDim, kFirstDim + 1, label('j')}));
  EXPECT_EQ(equation.operands[1], (Labels{kFirstDim + 1, label('j')}));
  EXPECT_EQ(equation.output, (Labels{kFirstDim, kFirstDim + 1, label('i')}));
  EXPECT_EQ(parse_equation("i...->i", {3}).output, labels("i"));
  EXPECT_EQ(parse_equation("i...->...i", {1}).output, labels("i"));
}

TEST(Equations, MayRepeatALetterInATensorOnly) {
  EXPECT_EQ(parse_equation("iij->i", {3}).operands[0], labels("iij"));
  EXPECT_THROW(parse_equation("i->ii", {1}), Error);
}

TEST(Equations, OfNoSuchTensorsAreRefused) {
  EXPECT_THROW(parse_equation("ij", {3}), Error);
  EXPECT_THROW(parse_equation("ij...", {1}), Error);
  EXPECT_THROW(parse_equation("ij,jk", {2}), Error);
  EXPECT_THROW(parse_equation("ij", {2, 2}), Error);
  EXPECT_THROW(parse_equation("i->j", {1}), Error);
}

TEST(Equations, OfOtherCharactersAreRefused) {
  for (const char* text : {"i1->i", "i..", "i->i,", "i->i->i", "......", "i-", "i>i", ".i", "i->i...", "ij;k"}) {
    if (std::string_view(text) == "i->i...") {
      EXPECT_NO_THROW(parse_equation(text, {1}));  // no dims follow it
    } else {
      EXPECT_THROW(parse_equation(text, {2}), Error) << text;
    }
  }
}

TEST(Equations, SpellLabels) {
  EXPECT_EQ(label_text(label('q')), "'q'");
  EXPECT_EQ(label_text(label('Q')), "'Q'");
  EXPECT_EQ(label_text(kFirstDim + 2), "dim 2 of the ellipsis");
}

}  // namespace
}  // namespace aclvk::ops
