"""Synthesises the music loop: eight bars at 120 beats a minute, chords, bass, arpeggio and drums, as WAV.

Usage: make-music.py OUTPUT.wav. Only the standard library; the same file every time. Tails of notes run over the end into the
beginning, so the loop has no seam.
"""
import array
import math
import random
import sys
import wave

RATE = 48_000
BEAT = RATE // 2
BARS = 8
LENGTH = BARS * 4 * BEAT
left, right = [0.0] * LENGTH, [0.0] * LENGTH
noise = random.Random(1)


def frequency(note):
    """Hz of a MIDI note number."""
    return 440.0 * 2 ** ((note - 69) / 12)


def place(start, samples, pan):
    """Adds a sound at a frame; pan from 0 (left) to 1 (right), constant power."""
    gain_left, gain_right = math.cos(pan * math.pi / 2), math.sin(pan * math.pi / 2)
    for offset, sample in enumerate(samples):
        frame = (start + offset) % LENGTH
        left[frame] += sample * gain_left
        right[frame] += sample * gain_right


def tone(note, seconds, level, harmonics, attack, decay):
    """A note of the given harmonic levels with a linear attack, an exponential decay and a short release."""
    count = int(seconds * RATE)
    step = 2 * math.pi * frequency(note) / RATE
    samples = []
    for frame in range(count):
        time = frame / RATE
        envelope = min(1, time / attack) * math.exp(-time / decay) * min(1, (count - frame) / (0.02 * RATE))
        value = sum(part * math.sin(step * frame * (number + 1)) for number, part in enumerate(harmonics))
        samples.append(level * envelope * value)
    return samples


def kick():
    samples, phase = [], 0.0
    for frame in range(int(0.3 * RATE)):
        time = frame / RATE
        phase += 2 * math.pi * (48 + 110 * math.exp(-time / 0.03)) / RATE
        samples.append(0.9 * math.sin(phase) * math.exp(-time / 0.09) * min(1, (0.3 - time) / 0.05))
    return samples


def snare():
    samples = []
    for frame in range(int(0.2 * RATE)):
        time = frame / RATE
        body = 0.35 * math.sin(2 * math.pi * 190 * time) * math.exp(-time / 0.04)
        samples.append(body + 0.3 * noise.uniform(-1, 1) * math.exp(-time / 0.06))
    return samples


def hat(decay):
    samples, last = [], 0.0
    for frame in range(int(6 * decay * RATE)):
        value = noise.uniform(-1, 1)
        # The difference of two samples of noise has little bass.
        samples.append(0.12 * (value - last) * math.exp(-frame / RATE / decay))
        last = value
    return samples


# A minor, F, C, G, A minor, F, D minor, E: root of the bass and notes of the chord.
CHORDS = [
    (33, [57, 60, 64, 67]), (29, [57, 60, 65, 69]), (36, [55, 60, 64, 67]), (31, [55, 59, 62, 67]),
    (33, [57, 60, 64, 67]), (29, [57, 60, 65, 69]), (38, [57, 62, 65, 69]), (28, [56, 59, 64, 68]),
]

kick_sound, snare_sound, short_hat, open_hat = kick(), snare(), hat(0.02), hat(0.07)
for bar, (root, chord) in enumerate(CHORDS):
    start = bar * 4 * BEAT
    for index, note in enumerate(chord):
        pad = tone(note, 2.3, 0.075, [1, 0.45, 0.22, 0.1, 0.05], 0.25, 2.5)
        place(start, pad, 0.2 + 0.2 * index)
    for beat, interval in [(0, 0), (0.75, 0), (1.5, 12), (2, 0), (2.75, 7), (3.5, 12)]:
        place(start + int(beat * BEAT), tone(root + interval, 0.32, 0.3, [1, 0.5, 0.15], 0.004, 0.3), 0.5)
    for eighth in range(8):
        note = chord[(eighth * 3) % 4] + 12
        pluck = tone(note, 0.5, 0.09, [1, 0.3, 0.25, 0.12], 0.003, 0.16)
        place(start + eighth * BEAT // 2, pluck, 0.75 if eighth % 2 else 0.25)
        place(start + eighth * BEAT // 2, open_hat if eighth == 7 else short_hat, 0.6)
    for beat in [0, 2, 2.5] if bar % 2 else [0, 2]:
        place(start + int(beat * BEAT), kick_sound, 0.5)
    for beat in [1, 3]:
        place(start + beat * BEAT, snare_sound, 0.45)

peak = max(max(map(abs, left)), max(map(abs, right)))
scale = 32_767 * 10 ** (-3 / 20) / peak
samples = array.array("h")
for pair in zip(left, right):
    samples.extend(round(value * scale) for value in pair)
with wave.open(sys.argv[1], "wb") as output:
    output.setnchannels(2)
    output.setsampwidth(2)
    output.setframerate(RATE)
    output.writeframes(samples.tobytes())
