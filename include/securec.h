/* Copies and text that stay within bounds: libc_sec's functions for programs that are written with them, after annex K of the C
   standard. A size is that of the destination. In place of a handler of constraints each function answers with an error, and
   leaves the destination so that nobody takes it for a result. */
#ifndef ACLVK_SECUREC_H
#define ACLVK_SECUREC_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int errno_t;

#ifndef EOK
#define EOK 0
#endif
/* As EINVAL and ERANGE, or because both memories overlap; the destination has been emptied. */
#ifndef EINVAL_AND_RESET
#define EINVAL_AND_RESET 150
#endif
#ifndef ERANGE_AND_RESET
#define ERANGE_AND_RESET 162
#endif
#ifndef EOVERLAP_AND_RESET
#define EOVERLAP_AND_RESET 182
#endif

/* A larger size is taken for a mistake. */
#ifndef SECUREC_MEM_MAX_LEN
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#endif
#ifndef SECUREC_STRING_MAX_LEN
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL
#endif

#if defined(__GNUC__)
#define ACLVK_SECUREC_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ACLVK_SECUREC_PRINTF(text, first)
#endif

/* Memory. ERANGE: destMax is 0 or too large. EINVAL: dest is NULL. The others empty dest first: it is 0 in all its bytes.
   EINVAL_AND_RESET: src is NULL. ERANGE_AND_RESET: count is above destMax. EOVERLAP_AND_RESET: memcpy_s copies between parts of
   one memory; a copy to where the bytes are is none. */
errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count);
errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count);
/* Where count is above destMax, all of dest is set and the answer is ERANGE_AND_RESET. */
errno_t memset_s(void *dest, size_t destMax, int c, size_t count);

/* Strings. Errors as above, but an emptied destination is a string of no characters. ERANGE_AND_RESET: the result and its 0 have
   no place, or count is too large. EINVAL_AND_RESET also: strcat_s, strncat_s find no 0 in dest. */
errno_t strcpy_s(char *dest, size_t destMax, const char *src);
errno_t strncpy_s(char *dest, size_t destMax, const char *src, size_t count);
errno_t strcat_s(char *dest, size_t destMax, const char *src);
errno_t strncat_s(char *dest, size_t destMax, const char *src, size_t count);
/* The next token; NULL where there is none, or an argument that is needed is NULL. *context is the place behind it. */
char *strtok_s(char *token, const char *delimiters, char **context);

/* Text. They return how many characters were written, without the 0; -1 for an error, a conversion by %n among them, with an empty
   dest. snprintf_s writes no more than count characters: text that count cuts off is there, and the answer is -1. */
int sprintf_s(char *dest, size_t destMax, const char *format, ...) ACLVK_SECUREC_PRINTF(3, 4);
int vsprintf_s(char *dest, size_t destMax, const char *format, va_list arguments) ACLVK_SECUREC_PRINTF(3, 0);
int snprintf_s(char *dest, size_t destMax, size_t count, const char *format, ...) ACLVK_SECUREC_PRINTF(4, 5);
int vsnprintf_s(char *dest, size_t destMax, size_t count, const char *format, va_list arguments) ACLVK_SECUREC_PRINTF(4, 0);

/* What is read. Behind the pointer of %s, %c and %[ comes the number of its elements. They return how many conversions were
   stored; -1 for NULL, where the input ends before the first, or where text does not fit, which leaves an empty string. */
int sscanf_s(const char *buffer, const char *format, ...);
int vsscanf_s(const char *buffer, const char *format, va_list arguments);
int fscanf_s(FILE *stream, const char *format, ...);
int vfscanf_s(FILE *stream, const char *format, va_list arguments);
int scanf_s(const char *format, ...);
int vscanf_s(const char *format, va_list arguments);
/* A line without its end; NULL where there is none, or it does not fit: the rest of the line is read over, dest is empty. */
char *gets_s(char *dest, size_t destMax);

#undef ACLVK_SECUREC_PRINTF

#ifdef __cplusplus
}
#endif

#endif /* ACLVK_SECUREC_H */
