#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The tags of sound files, read by TagLib, whose own interface for C has neither album artists nor pictures.
///
/// The functions are in `CTagLib`, a library of its own that is loaded when it is first needed, since TagLib brings the library of C++.
/// TagLib reads through the descriptor alone and writes nothing. No exception leaves these functions.

/// Receives what a file's tags contain. All texts are UTF-8, and all pointers are valid during the call only.
struct mr_tags_receiver {
  void *context;
  /// One value of a property, such as `ALBUMARTIST`; a property with several values comes several times.
  void (*property)(void *context, const char *name, const char *value);
  /// A picture with its kind (ID3v2, section 4.14; 3 is the front cover) and its media type. Null if pictures are not wanted.
  void (*picture)(void *context, int kind, const char *type, const uint8_t *bytes, size_t count);
};

/// What the file's headers say about its sound.
struct mr_tags_sound {
  /// Length in seconds; 0 if the file does not tell.
  double seconds;
  /// Sample rate in Hz, and number of channels.
  int rate, channels;
  bool has_picture;
};

enum mr_tags_result {
  MR_TAGS_READ = 0,
  /// The first bytes are not those of FLAC, Ogg, MPEG audio, RIFF or AIFF.
  MR_TAGS_UNKNOWN = 1,
  /// The file claims to be one of these, but cannot be read as one.
  MR_TAGS_DAMAGED = 2,
};

/// Reads the tags of an open file. Blocks on the disk; any thread may call.
///
/// @param most_bytes  reads at most so many bytes; to TagLib the rest of the file looks empty
enum mr_tags_result mr_tags_read(int descriptor, uint64_t most_bytes, const struct mr_tags_receiver *receiver,
                                 struct mr_tags_sound *sound);

#ifdef __cplusplus
}
#else
#include "../functions.h"

#define MR_TAGS(use) use(mr_tags_read)
MR_FUNCTIONS(mr_tags, MR_TAGS)
#endif
