#!/usr/bin/env python3
"""aclvk support: what is there."""

import unittest

from coverage_counts import counts
from tool import ToolTest, operator_that_is_not_built


class Support(ToolTest):
    def test_knows_a_function(self):
        text = self.output("support", "aclrtMalloc")
        self.assertRegex(text, r"^aclrtMalloc: built\n")
        self.assertRegex(text, r"(?m)^  include +acl/rt/memory.h$")
        self.assertRegex(text, r"(?m)^  100000 +")

    def test_knows_an_operator_by_any_of_its_names(self):
        for name in ("aclnnAdd", "Add", "add", "aclnnAddGetWorkspaceSize"):
            text = self.output("support", name)
            self.assertRegex(text, r"^aclnnAdd: built\n")
            self.assertRegex(text, r"(?m)^  dtypes +FLOAT")
            self.assertRegex(text, r"(?m)^  PyTorch +torch.add$")

    def test_tells_what_is_not_built(self):
        name = operator_that_is_not_built()
        self.assertRegex(self.output("support", name, status=1), rf"^{name}: not built: declared, and not in the library\n")

    def test_tells_why_a_function_cannot_be_there(self):
        text = self.output("support", "aclrtMemcpyFromSymbolAsync", "aclrtGetOverflowStatus", status=1)
        self.assertRegex(text, r"(?m)^aclrtGetOverflowStatus: not on Vulkan")
        self.assertRegex(text, r"(?m)^  here +\S")

    def test_finds_names_that_contain_a_word(self):
        text = self.output("support", "flashattention", status=1)
        self.assertRegex(text, r"(?m)^  aclnn\w*FlashAttention\w* +(built|not built)")

    def test_finds_the_name_that_was_misspelt(self):
        for given, meant in (("aclnnaddd", "aclnnAdd"), ("aclnnSoftmx", "aclnnSoftmax"), ("aclrtMemcyp", "aclrtMemcpy"),
                             ("Sofmtax", "aclnnSoftmax")):
            text = self.output("support", given, status=1)
            self.assertIn("no function or operator of the interface has this name", text)
            self.assertRegex(text, rf"(?m)^  {meant} +(built|not built)")

    def test_says_that_it_knows_nothing(self):
        self.assertIn("no function or operator of the interface has this name",
                      self.output("support", "aclnnOfAYearToCome", status=1))

    def test_counts_what_the_documents_count(self):
        text = self.output("support")
        functions, operators = counts()
        self.assertIn(f"  {functions} functions\n", "  " + text.replace("\n", "\n  "))
        self.assertIn(f"{operators} operators\n", text)


if __name__ == "__main__":
    unittest.main()
