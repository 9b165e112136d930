"""Checks that texts of others stay texts, wherever they are shown.

hostile.py files FOLDER makes media and scenes with hostile names and titles, in the folder of a router that is started behind that.
hostile.py HTTP-ADDRESS OSC-PORT FOLDER opens all that the page has. The end is 1 if a check failed."""

import json
import pathlib
import subprocess
import sys

from browser import Failure, Surface, run_alone
from looks import GEOMETRY, every_subject, open_whole
from modules import modules

BIDI = "\u202e\u2066"
MARKUP = "<img src=x onerror=window.broken=1>'\"><script>window.broken=1<"
# Texts begin with these words, by which they are found on the page. An album stands behind the artist, and is cut off.
KINDS = ["title", "artist", "file", "scene", "name", "client", "program"]


def hostile(kind, length=None):
    """A text that begins with its kind, in bytes of UTF-8 at most as long as given."""
    text = f"{kind}{BIDI}{MARKUP}"
    return (text + "x" * 5_000)[:length - 4] if length else text


def make(folder):
    media = pathlib.Path(folder) / "XDG_DATA_HOME/multiroute/media"
    shows = pathlib.Path(folder) / "shows"
    for path in (media, media / "recordings", shows):
        path.mkdir(parents=True, exist_ok=True)
    tone = media / f"{hostile('file')}.wav"
    subprocess.run(["sox", "-n", "-r", "48000", str(tone), "synth", "2", "sine", "440"], check=True)
    tags = [f"--tag={key}={hostile(kind, 4_096)}" for key, kind in (("TITLE", "title"), ("ARTIST", "artist"), ("ALBUM", "album"))]
    subprocess.run(["flac", "--silent", *tags, "-o", str(media / "tagged.flac"), str(tone)], check=True)
    (media / "recordings" / tone.name).write_bytes(tone.read_bytes())
    scene = {"multiroute": 1, "title": hostile("scene", 256), "sessions": {"show": {"category": "multiRoute", "gain": -3}}}
    (shows / "odd.json").write_text(json.dumps(scene))


STATE = """
const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) texts.push(walker.currentNode.data);
for (const element of document.querySelectorAll('[title], [aria-label], [aria-valuetext], option')) texts.push(element.title, element.ariaLabel, element.ariaValueText, element.label);
return {
  broken: window.broken ?? 0,
  markup: [...document.querySelectorAll('body :is(script, img, iframe, object, embed, base, [onerror], [onfocus], a[href^="javascript:" i])')].map((it) => it.outerHTML),
  turned: texts.filter((text) => /[\\u202a-\\u202e\\u2066-\\u2069]/.test(text ?? '')),
  longest: Math.max(...texts.map((text) => text?.length ?? 0)),
  texts: texts.join(' '),
};"""


def examine(browser, where, seen):
    state = browser.run(STATE)
    wrong = [f"{key}: {state[key]}" for key in ("broken", "markup", "turned") if state[key]]
    if state["longest"] > 600:
        wrong.append(f"a text has {state['longest']} characters")
    wrong += [problem for problem in browser.run(GEOMETRY) if problem.startswith("the page is")]
    if wrong:
        raise Failure(f"{where}: {'; '.join(wrong[:5])}")
    seen.update(kind for kind in KINDS if f"{kind}  <img src=x onerror" in state["texts"])


def prepare(surface):
    surface.send("/session/show/name", hostile("name", 200))
    surface.until("/session/show/name", lambda value: value.startswith("name"))
    surface.send("/player/create", "odd", "show.band")
    surface.until("/player/odd/state", lambda value: value is not None)
    surface.send("/player/odd/file", "tagged.flac")
    surface.until("/player/odd/queue/length", lambda value: value == 1)
    surface.send("/player/odd/queue/add", f"{hostile('file')}.wav")
    surface.until("/player/odd/queue/length", lambda value: value == 2)
    surface.send("/preset/standby", "odd")
    # One of the sheets shows the effects of this output.
    surface.send("/output/headphones/effects", "limiter")
    surface.send("/session/show/stream/click/from", f"program{BIDI}<img src=x onerror=window.broken=1>:out_1")
    surface.until("/session/show/stream/click/from", lambda value: value.startswith("program"))
    guest = Surface(surface.socket.getpeername()[1])
    guest.send("/hello", hostile("client", 200))
    # A refusal is told with what was refused.
    guest.send(f"/session/{MARKUP}/gain", 0.0)
    return guest


def texts_of_others_stay_texts(browser, surface, folder):
    guest = prepare(surface)
    seen = set()
    for width, height in ((360, 640), (1024, 768)):
        browser.size(width, height)
        for subject in every_subject(browser):
            open_whole(browser, subject)
            if subject == "mixer":
                guest.send("/output/usb/fader/touch", 1)
                browser.until("document.querySelector('[data-others]')")
                seen.update(["client"] if browser.value("document.querySelector('[data-others]').dataset.others.startsWith('client  <img')") else [])
            examine(browser, f"{subject} at {width}", seen)
            browser.driver.save_screenshot(f"{folder}/hostile-{subject}-{width}.png")
        for name, subject, opener, awaited in [sheet for module in modules() for sheet in getattr(module, "SHEETS", [])]:
            open_whole(browser, subject)
            browser.run("document.querySelector(arguments[0]).click()", opener)
            browser.until("document.querySelector(arguments[0])", awaited)
            examine(browser, f"{name} at {width}", seen)
    if seen != set(KINDS):
        raise Failure(f"the page shows nothing of {set(KINDS) - seen}, so these were not tried")
    if browser.log():
        raise Failure(f"the browser says {browser.log()}")


if __name__ == "__main__":
    if sys.argv[1] == "files":
        make(sys.argv[2])
    else:
        run_alone((texts_of_others_stay_texts,), 1024, 768)
