#include "../CTags/shim.h"
#include "DescriptorStream.h"

#include <taglib/aifffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/tdebuglistener.h>
#include <taglib/tpropertymap.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>

#include <memory>

using namespace TagLib;

namespace {

/// Keeps TagLib's remarks about damaged files off standard error.
class Silence final : public DebugListener {
public:
  void printMessage(const String &) override {}
};

/// Passes on what a file contains.
class Passing {
public:
  Passing(const mr_tags_receiver &receiver, mr_tags_sound &sound) : receiver(receiver), sound(sound) {}

  mr_tags_result file(File &file) {
    if (!file.isValid()) return MR_TAGS_DAMAGED;
    if (const AudioProperties *properties = file.audioProperties()) {
      sound.seconds = properties->lengthInMilliseconds() / 1000.0;
      sound.rate = properties->sampleRate();
      sound.channels = properties->channels();
    }
    for (const auto &property : file.properties()) {
      const std::string name = property.first.to8Bit(true);
      for (const String &value : property.second) receiver.property(receiver.context, name.c_str(), value.toCString(true));
    }
    return MR_TAGS_READ;
  }

  void pictures(const List<FLAC::Picture *> &pictures) {
    for (const FLAC::Picture *picture : pictures) this->picture(picture->type(), picture->mimeType(), picture->data());
  }

  void pictures(const Ogg::XiphComment *comment) {
    if (comment) pictures(const_cast<Ogg::XiphComment *>(comment)->pictureList());
  }

  void pictures(const ID3v2::Tag *tag) {
    if (!tag) return;
    for (ID3v2::Frame *frame : tag->frameList("APIC")) {
      const auto *attached = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame);
      if (attached) picture(attached->type(), attached->mimeType(), attached->picture());
    }
  }

private:
  void picture(int kind, const String &type, const ByteVector &data) {
    if (data.isEmpty()) return;
    sound.has_picture = true;
    if (!receiver.picture) return;
    const auto *bytes = reinterpret_cast<const uint8_t *>(data.data());
    receiver.picture(receiver.context, kind, type.toCString(true), bytes, data.size());
  }

  const mr_tags_receiver &receiver;
  mr_tags_sound &sound;
};

bool has(const ByteVector &bytes, const char *mark, unsigned int at = 0) {
  return bytes.containsAt(ByteVector(mark), at);
}

/// The length of an ID3v2 tag at the start of a file; other tags and the music follow.
Place id3Length(const ByteVector &head) {
  if (!has(head, "ID3") || head.size() < 10) return 0;
  Place length = 0;
  for (int index = 6; index < 10; index++) length = length << 7 | (head[index] & 0x7f);
  return length + 10;
}

mr_tags_result readOgg(const ByteVector &head, IOStream &stream, Passing &passing) {
  // The first page names the codec.
  if (head.find("OpusHead") >= 0) {
    Ogg::Opus::File file(&stream);
    const mr_tags_result result = passing.file(file);
    if (result == MR_TAGS_READ) passing.pictures(file.tag());
    return result;
  }
  if (head.find("\x7f" "FLAC") >= 0) {
    Ogg::FLAC::File file(&stream);
    const mr_tags_result result = passing.file(file);
    if (result == MR_TAGS_READ) passing.pictures(file.tag());
    return result;
  }
  if (head.find("\x01vorbis") < 0) return MR_TAGS_UNKNOWN;
  Ogg::Vorbis::File file(&stream);
  const mr_tags_result result = passing.file(file);
  if (result == MR_TAGS_READ) passing.pictures(file.tag());
  return result;
}

mr_tags_result readFLAC(IOStream &stream, Passing &passing) {
#if TAGLIB_MAJOR_VERSION >= 2
  FLAC::File file(&stream);
#else
  FLAC::File file(&stream, ID3v2::FrameFactory::instance());
#endif
  const mr_tags_result result = passing.file(file);
  if (result == MR_TAGS_READ) passing.pictures(file.pictureList());
  return result;
}

mr_tags_result readMPEG(IOStream &stream, Passing &passing) {
#if TAGLIB_MAJOR_VERSION >= 2
  MPEG::File file(&stream);
#else
  MPEG::File file(&stream, ID3v2::FrameFactory::instance());
#endif
  const mr_tags_result result = passing.file(file);
  if (result == MR_TAGS_READ) passing.pictures(file.ID3v2Tag());
  return result;
}

mr_tags_result read(IOStream &stream, Passing &passing) {
  const ByteVector head = stream.readBlock(512);
  stream.seek(id3Length(head));
  const ByteVector body = stream.readBlock(4);
  stream.seek(0);
  if (body == ByteVector("fLaC")) return readFLAC(stream, passing);
  if (has(head, "OggS")) return readOgg(head, stream, passing);
  if (has(head, "RIFF") && has(head, "WAVE", 8)) {
    RIFF::WAV::File file(&stream);
    const mr_tags_result result = passing.file(file);
    if (result == MR_TAGS_READ) passing.pictures(file.ID3v2Tag());
    return result;
  }
  if (has(head, "FORM") && (has(head, "AIFF", 8) || has(head, "AIFC", 8))) {
    RIFF::AIFF::File file(&stream);
    const mr_tags_result result = passing.file(file);
    if (result == MR_TAGS_READ) passing.pictures(file.tag());
    return result;
  }
  const bool isFrame = head.size() > 1 && static_cast<uint8_t>(head[0]) == 0xff && (head[1] & 0xe0) == 0xe0;
  return has(head, "ID3") || isFrame ? readMPEG(stream, passing) : MR_TAGS_UNKNOWN;
}

}  // namespace

mr_tags_result mr_tags_read(int descriptor, uint64_t most_bytes, const mr_tags_receiver *receiver, mr_tags_sound *sound) {
  *sound = mr_tags_sound();
  try {
    static Silence silence;
    static const bool isSilent = (setDebugListener(&silence), true);
    (void)isSilent;
    DescriptorStream stream(descriptor, most_bytes);
    Passing passing(*receiver, *sound);
    return read(stream, passing);
  } catch (...) {
    // No memory for what the file claims, mostly.
    return MR_TAGS_DAMAGED;
  }
}
