#pragma once
// Tables of functions of libraries that are not linked but loaded when they are first needed (`DynamicLibrary`). A list of functions,
//
//     #define MR_SOXR(use) use(soxr_create) use(soxr_delete)
//     MR_FUNCTIONS(mr_soxr, MR_SOXR)
//
// makes `struct mr_soxr` with a pointer for each function, of the type that the library's header declares, and `mr_soxr_names()`, the names
// in the same order, with a null pointer at their end.
#define MR_FUNCTIONS(table, list)                                                                                                         \
  struct table {                                                                                                                         \
    list(MR_FUNCTION)                                                                                                                    \
  };                                                                                                                                     \
  static inline const char *const *table##_names(void) {                                                                                 \
    static const char *const names[] = {list(MR_FUNCTION_NAME) 0};                                                                       \
    return names;                                                                                                                        \
  }
#define MR_FUNCTION(name) __typeof__(name) *name;
#define MR_FUNCTION_NAME(name) #name,
