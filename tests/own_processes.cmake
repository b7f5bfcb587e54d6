# The cases of api/ that need a process of the operating system of their own, as patterns of gtest, each with the reason. All
# others share one a suite (aclvk_shared_suites): between them a runtime::Process ends, and the environment is restored, but what
# base/process_states.def lists as outliving a Process stays, and so do the driver, its loader and the threads of both.
set(own_process_cases
    # The destination and the level of the log are those of the first use of the library.
    LoggedFailure.*
    Logging.*
    Plain.ALogLineNeedsNothingButAFormat
    Plain.ALogLineOfExactlyTheLimitIsNotCut
    Plain.ALogLineTellsWhereItComesFrom
    Plain.ALongLogLineIsCut
    Plain.ASecondInitIsNoErrorInTheLog
    Plain.FailuresInALoopDoNotFillTheLog
    # The Vulkan instance and the list of its devices are those of the first use: ACLVK_DEVICE, variables of the loader.
    Plain.WithoutADeviceTheReasonIsReported
    Plain.WithoutADriverThatIsReported
    # They fork. A child has none of the threads that earlier cases have started, and ForkedEarly wants a parent that has used no
    # device.
    ForkedEarly.*
    ForkedProcess.*
    ForkedWhileItLogs.*
    SharedQueue.*
    # Death tests fork, and their child runs the exit handlers of the library and of the driver.
    HostFunctionDeathTest.*
    WholeProgram.*
    # They are about the exit of the process.
    Init.AProgramMayEndWithoutCleaningUp
    Init.TheApiMayBeCalledWhileTheProcessExits
    # The socket for other processes, and the thread that serves it, outlive a Process, and keys contain the process id. One of
    # them lowers the limit of open files and leaves it low.
    EventShare.*
    MemoryShare.*
    MemoryThatStays.*
    NotifyShare.*
    VirtualMemoryShare.*
    # Its kernel spins until the host stops it. If the test fails before, a Process could not end, and would abort.
    SnapshotOfKernels.*
    # Looks functions up by their names in libaclvk.so.
    Loaded.*)

# The patterns above that concern a suite.
function(aclvk_own_cases_of suite result)
  set(cases "")
  foreach(case ${own_process_cases})
    if(case MATCHES "^${suite}\\.")
      list(APPEND cases "${case}")
    endif()
  endforeach()
  set(${result} "${cases}" PARENT_SCOPE)
endfunction()

# An entry a suite of `sources`: its cases share a process of the operating system, and `program` ends a Process after each of
# them (support/shared_process.cpp). Leaves out the cases above, and those that match the patterns WITHOUT.
function(aclvk_shared_suites program label)
  cmake_parse_arguments(arg "" "" "SOURCES;WITHOUT" ${ARGN})
  aclvk_suites_of(suites ${arg_SOURCES})
  foreach(suite ${suites})
    aclvk_own_cases_of(${suite} own)
    if(NOT "${suite}.*" IN_LIST own)
      set(filter "${suite}.*:*/${suite}.*:${suite}/*")
      set(left_out ${own} ${arg_WITHOUT})
      if(left_out)
        list(JOIN left_out ":" left_out)
        string(APPEND filter "-${left_out}")
      endif()
      add_test(NAME "${program}.${suite}" COMMAND ${program} "--gtest_filter=${filter}")
      set_tests_properties("${program}.${suite}" PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 1800 LABELS ${label})
    endif()
  endforeach()
endfunction()
