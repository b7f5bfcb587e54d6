# What PyTorch with torch_npu needs in order to load; the wheels themselves are the matter of scripts/test_pytorch.
include_guard(GLOBAL)

# A program without the runtime of a sanitizer cannot open a library with it.
if(NOT ACLVK_SANITIZE)
  add_test(NAME pytorch.loading
           COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/pytorch/loading_test.py" "${CMAKE_BINARY_DIR}/lib64"
                   "${CMAKE_SOURCE_DIR}/interface/torch_npu.tsv" "${CMAKE_CXX_COMPILER}")
endif()
