#pragma once
#include <histedit.h>
#include <locale.h>

#include "../functions.h"

#define MR_EDIT(use)                                                                              \
  use(el_init) use(el_end) use(el_set) use(el_get) use(el_gets) use(el_line) use(el_insertstr)    \
  use(el_source) use(history_init) use(history_end) use(history)
MR_FUNCTIONS(mr_edit, MR_EDIT)

// Swift cannot call functions that take any number of arguments, so these few lines do.

/// Makes an editor of the terminal of this process. `owner` is kept for the callbacks.
static inline EditLine *mr_edit_begin(const struct mr_edit *calls, History *past, int limit, void *owner,
                                      char *(*prompt)(EditLine *), int (*read)(EditLine *, wchar_t *),
                                      unsigned char (*complete)(EditLine *, int)) {
  // Without it the library drops everything but ASCII.
  setlocale(LC_CTYPE, "C.UTF-8");
  EditLine *editor = calls->el_init("multiroute", stdin, stdout, stderr);
  if (!editor) return 0;
  HistEvent event;
  calls->history(past, &event, H_SETSIZE, limit);
  calls->history(past, &event, H_SETUNIQUE, 1);
  calls->el_set(editor, EL_CLIENTDATA, owner);
  calls->el_set(editor, EL_PROMPT, prompt);
  calls->el_set(editor, EL_EDITOR, "emacs");
  // It continues after Ctrl-Z, and follows the size of the terminal.
  calls->el_set(editor, EL_SIGNAL, 1);
  calls->el_set(editor, EL_HIST, calls->history, past);
  calls->el_set(editor, EL_ADDFN, "complete", "completes the word before the cursor", complete);
  calls->el_set(editor, EL_BIND, "^I", "complete", (char *)0);
  calls->el_set(editor, EL_BIND, "^R", "em-inc-search-prev", (char *)0);
  // The keys of the user: ~/.editrc.
  calls->el_source(editor, 0);
  calls->el_set(editor, EL_GETCFN, read);
  return editor;
}

/// Lets the user edit a line.
static inline const char *mr_edit_line(const struct mr_edit *calls, EditLine *editor, int *count) {
  // By itself the library takes over the keys after it has shown the prompt; a Ctrl-D in between would be lost.
  calls->el_set(editor, EL_PREP_TERM, 1);
  return calls->el_gets(editor, count);
}

static inline void mr_edit_remember(const struct mr_edit *calls, History *past, const char *line) {
  HistEvent event;
  calls->history(past, &event, H_ENTER, line);
}

/// Draws prompt and line anew, on the row of the cursor.
static inline void mr_edit_redraw(const struct mr_edit *calls, EditLine *editor) { calls->el_set(editor, EL_REFRESH); }

/// The owner that `mr_edit_begin` was given.
static inline void *mr_edit_owner(const struct mr_edit *calls, EditLine *editor) {
  void *owner = 0;
  calls->el_get(editor, EL_CLIENTDATA, &owner);
  return owner;
}
