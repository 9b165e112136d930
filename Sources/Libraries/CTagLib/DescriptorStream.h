#pragma once
#include <taglib/taglib.h>
#include <taglib/tiostream.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <sys/stat.h>
#include <unistd.h>

// TagLib 2 has other types for the places and sizes in a file.
#if TAGLIB_MAJOR_VERSION >= 2
using Place = TagLib::offset_t;
using Size = size_t;
using Start = TagLib::offset_t;
#else
using Place = long;
using Size = unsigned long;
using Start = unsigned long;
#endif

/// An open file as TagLib reads it: nothing can be written, and no more than a budget of bytes is read.
class DescriptorStream final : public TagLib::IOStream {
public:
  DescriptorStream(int descriptor, uint64_t budget) : descriptor(descriptor), budget(budget) {
    struct stat status {};
    isFile = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    size = isFile ? status.st_size : 0;
  }

  TagLib::FileName name() const override { return ""; }

  TagLib::ByteVector readBlock(Size wanted) override {
    if (position < 0 || position >= size) return TagLib::ByteVector();
    // A lying header may ask for more than there is. A call costs something even if it reads little, so that no loop is without end.
    const uint64_t count = std::min<uint64_t>(wanted, static_cast<uint64_t>(size - position));
    const uint64_t cost = std::max<uint64_t>(count, 16);
    if (cost > budget) {
      budget = 0;
      return TagLib::ByteVector();
    }
    budget -= cost;
    TagLib::ByteVector block(static_cast<unsigned int>(count), 0);
    uint64_t done = 0;
    while (done < count) {
      const ssize_t part = pread(descriptor, block.data() + done, count - done, position + static_cast<off_t>(done));
      if (part < 0 && errno == EINTR) continue;
      if (part <= 0) break;
      done += static_cast<uint64_t>(part);
    }
    block.resize(static_cast<unsigned int>(done));
    position += static_cast<off_t>(done);
    return block;
  }

  void seek(Place offset, Position from = Beginning) override {
    const off_t base = from == Beginning ? 0 : from == Current ? position : size;
    // Sizes in a file may be lies.
    if (__builtin_add_overflow(base, static_cast<off_t>(offset), &position)) position = size;
  }

  Place tell() const override { return position; }
  Place length() override { return size; }
  bool readOnly() const override { return true; }
  bool isOpen() const override { return isFile; }

  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, Start, Size) override {}
  void removeBlock(Start, Size) override {}
  void truncate(Place) override {}

private:
  const int descriptor;
  uint64_t budget;
  bool isFile = false;
  off_t size = 0;
  off_t position = 0;
};
