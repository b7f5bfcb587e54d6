# The benchmark runs to its end, without a message of the validation layers, and its reports hold what they promise. No
# figure is judged: these machines are not quiet.
include_guard(GLOBAL)

if(ACLVK_BUILD_BENCH)
  set(bench_workloads chain,execute,update,calls,lists,capture)
  set(bench_only chain,fork,calls,lists,capture)
  if(NOT ACLVK_SANITIZE)  # these take long there, and see no other code of ours
    string(APPEND bench_workloads ",startup,bandwidth,rows,matmul,matvec,attention")
    string(APPEND bench_only ",startup,bandwidth,rows,matmul,matvec,attention")
  endif()
  add_test(NAME bench.run
           COMMAND aclvk-bench --quick --quiet --seconds 0.1 --rounds 4 --tasks 10,100,1000 --widths 1,4 --only
                   ${bench_only} --json bench.json --html bench.html)
  set_tests_properties(
    bench.run
    PROPERTIES ENVIRONMENT "${test_environment};VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation" FAIL_REGULAR_EXPRESSION
               "Validation (Error|Warning)|VUID-" FIXTURES_SETUP bench_report TIMEOUT 600)
  # The allocators of sanitizers do not tell what a task takes.
  if(NOT ACLVK_SANITIZE)
    add_test(NAME bench.report COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_bench.py"
                                       --targets-for ${bench_workloads} bench.json bench.html)
    set_tests_properties(bench.report PROPERTIES FIXTURES_REQUIRED bench_report)
  endif()
  add_test(NAME bench.usage COMMAND aclvk-bench --only nothing)
  set_tests_properties(bench.usage PROPERTIES PASS_REGULAR_EXPRESSION "nothing not in {")
  aclvk_installed_test(bench.installed "${CMAKE_BINARY_DIR}/installed/bin/aclvk-bench" --quick --quiet --only capture
                       --rounds 2)
endif()
