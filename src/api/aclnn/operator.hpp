#pragma once

#include "api/aclnn/parameters.hpp"
#include "api/aclnn/phases.hpp"

// Generated: the parameters of every operator from the tables, and the public prototypes. A definition that differs
// from its prototype does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

/// Defines the first phase of an operator. `make` plans it from the operator's parameters, which have the names that
/// the public header gives them.
#define FIRST_PHASE(phase, function, make)                                                                          \
  aclnnStatus phase(ACLVK_DECLARE(ACLVK_PARAMETERS_##function) uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return aclvk::api::plan(                                                                                        \
        #function, workspaceSize, executor, [&] { return make; },                                                   \
        [&](auto& arguments) { ACLVK_DESCRIBE(ACLVK_PARAMETERS_##function) });                                      \
  }

/// Defines both phases of an operator.
#define OPERATOR(function, make)                                                                      \
  FIRST_PHASE(function##GetWorkspaceSize, function, make)                                             \
  aclnnStatus function(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream) { \
    return aclvk::api::launch(#function, workspace, size, executor, stream);                          \
  }
