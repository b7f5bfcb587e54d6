# Operators against torch (tests/golden/), where a Python has it: Debian's python3-torch. Not with sanitizers: Python is not
# built with them.
set(torch_python "")
foreach(candidate "${Python3_EXECUTABLE}" /usr/bin/python3)
  execute_process(COMMAND "${candidate}" -c "import torch" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(torch_python "${candidate}")
    break()
  endif()
endforeach()

if(ACLVK_SANITIZE OR NOT torch_python)
  message(STATUS "No golden tests: there is no Python with torch, or the library is built with a sanitizer.")
  return()
endif()

file(GLOB golden_tables CONFIGURE_DEPENDS golden/*.py)
list(FILTER golden_tables EXCLUDE REGEX "/(acl|golden)\\.py$")
foreach(table ${golden_tables})
  get_filename_component(name "${table}" NAME_WE)
  add_test(NAME "golden.${name}" COMMAND "${torch_python}" -B "${table}")
  set_tests_properties("golden.${name}" PROPERTIES
    ENVIRONMENT "${test_environment};ACLVK_LIBRARY=$<TARGET_FILE:aclvk>" TIMEOUT 1200)
endforeach()

# What samples/expected has for whole networks is what PyTorch computes.
foreach(sample gpt resnet)
  add_test(NAME "golden.sample_${sample}" COMMAND "${torch_python}" -B "${CMAKE_SOURCE_DIR}/tools/${sample}_golden.py" --check)
endforeach()
