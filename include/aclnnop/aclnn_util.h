/* How functions of operators are declared. */
#ifndef ACLVK_ACLNNOP_ACLNN_UTIL_H
#define ACLVK_ACLNNOP_ACLNN_UTIL_H

#ifndef ACLNN_API
#define ACLNN_API __attribute__((visibility("default")))
#endif

#endif /* ACLVK_ACLNNOP_ACLNN_UTIL_H */
