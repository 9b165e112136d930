"""Checks of the scenes: GO, its preview as sentences and as ghosts, refusals, fades, undo, store."""

import os
import time

from browser import Failure

ACT_ONE, ACT_TWO = f"act-{os.getpid()}-a", f"act-{os.getpid()}-b"
TITLES = {ACT_ONE: "Act one", ACT_TWO: "Act two <b>bold</b>"}
LEVELS = {
    ACT_ONE: {"/session/show/gain": -20.0, "/session/show/stream/band/gain": -6.0, "/session/show/stream/band/to/usb/gain": -9.0, "/output/usb/gain": 0.0,
              "/output/headphones/gain": -2.0},
    ACT_TWO: {"/session/show/gain": -3.0, "/session/show/stream/band/gain": 2.0, "/session/show/stream/band/to/usb/gain": -30.0, "/output/usb/gain": -12.0,
              "/output/headphones/gain": -5.0},
}
VIEWS = {"scenes": ".scenes li"}
SHEETS = [("scene", "scenes", ".scenes .scene", "mr-scene li"), ("store", "scenes", 'mr-scenes .store', "mr-store")]


def stored(surface):
    """Two scenes in the router's folder; the first one is in force, and the second one on standby. No fade, no guard."""
    surface.send("/preset/fade", 0.0)
    surface.send("/preset/guard", 0.0)
    known = [row[0] for row in surface.rows("/preset/list")]
    for preset, levels in LEVELS.items():
        if preset not in known:
            for address, level in levels.items():
                surface.send(address, level)
                surface.until(address, lambda value, level=level: abs(value - level) < 0.01)
            surface.send("/preset/store", preset, TITLES[preset])
            surface.until("/preset/current", lambda value, preset=preset: value == preset)
    recalled(surface, ACT_ONE)
    surface.send("/preset/standby", ACT_TWO)
    surface.until("/preset/standby", lambda value: value == ACT_TWO)


def recalled(surface, preset):
    surface.send(f"/preset/{preset}/recall")
    surface.until("/preset/current", lambda value: value == preset)
    surface.until("/preset/progress", lambda value: value == 1)


def waits_for(browser, preset):
    browser.until("document.querySelector('.go .next')?.textContent == arguments[0]", TITLES[preset])


def GO_recalls_and_the_page_shows_it(browser, surface):
    stored(surface)
    browser.open("scenes")
    waits_for(browser, ACT_TWO)
    browser.until("document.querySelector('mr-differences .effect')")
    browser.tap("mr-button.go")
    surface.until("/preset/current", lambda value: value == ACT_TWO)
    browser.until("document.querySelector('mr-scenes .current').textContent == arguments[0]", TITLES[ACT_TWO])
    browser.until("document.querySelector(`[data-preset='${arguments[0]}']`).classList.contains('now')", ACT_TWO)
    if browser.value("document.querySelector('mr-scenes b')"):
        raise Failure("a title became markup")
    for address, level in LEVELS[ACT_TWO].items():
        surface.until(address, lambda value, level=level: abs(value - level) < 0.01)
    browser.go("mixer")
    browser.until("document.querySelector('[subject=\"/session/show\"] > .level').textContent == '-3.0 dB'")


def next_and_previous_recall(browser, surface):
    stored(surface)
    browser.open("scenes")
    browser.tap('mr-button[address="/preset/next"]')
    surface.until("/preset/current", lambda value: value == ACT_TWO)
    browser.tap('mr-button[address="/preset/prev"]')
    surface.until("/preset/current", lambda value: value == ACT_ONE)
    browser.until("document.querySelector('mr-scenes .current').textContent == arguments[0]", TITLES[ACT_ONE])


GHOSTS = """\
Object.fromEntries([...document.querySelectorAll('mr-fader')].map((fader) => [fader.getAttribute('address'),
  fader.querySelector('.ghost').hidden ? null
  : [Math.abs(parseFloat(/-?[\\d.]+(?=%)/.exec(fader.querySelector('.ghost').style.transform))) / 100, fader.getAttribute('aria-valuetext')]]))"""


def preview_equals_recall(browser, surface):
    stored(surface)
    browser.open("scenes")
    waits_for(browser, ACT_TWO)
    surface.send("/output/headphones/gain", -7.0)
    browser.run("document.querySelector('mr-scenes .check input').click()")
    sentences = browser.until("[...document.querySelectorAll('mr-scenes mr-differences li')].map((row) => row.textContent).join()")
    if "show becomes louder by 17.0 dB" not in sentences:
        raise Failure(f"the preview says {sentences}")
    browser.go("mixer")
    browser.until("!document.querySelector('mr-fader[address=\"/session/show\"] .ghost').hidden")
    # Ghosts of the strips, then those of the streams, which a sheet has.
    browser.until("!document.querySelector('mr-fader[address=\"/output/headphones\"] .ghost').hidden", seconds=5)
    browser.run("""document.querySelector('[subject="/session/show"] .head').click()""")
    browser.until("document.querySelectorAll('mr-streams mr-row').length > 3")
    browser.ready()
    # What screen readers are told comes four times a second at most.
    browser.until("[...document.querySelectorAll('mr-fader')].filter((it) => it.querySelector('.ghost:not([hidden])')).every((it) => it.ariaValueText?.includes('after'))")
    ghosts = browser.value(GHOSTS)
    before = {address: surface.get(f"{address}/fader")[0] for address in ghosts if "/to/" not in address}
    browser.run("document.querySelector('.sheet').close()")
    browser.go("matrix")
    cell = '.cell[aria-label^="band to usb:"]'
    in_matrix = browser.until("document.querySelector(arguments[0])?.dataset.ghost", cell)
    if in_matrix != "→ -30.0":
        raise Failure(f"the matrix says {in_matrix}")
    browser.go("scenes")
    browser.tap("mr-button.go")
    surface.until("/preset/current", lambda value: value == ACT_TWO)
    shown = 0
    for address, ghost in ghosts.items():
        if ghost is None and address not in before:
            continue
        expected = before[address] if ghost is None else ghost[0]
        surface.until(f"{address}/fader", lambda value, expected=expected: abs(value - expected) < 0.003, seconds=3)
        shown += ghost is not None
    told = [ghost[1] for ghost in ghosts.values() if ghost]
    if not all(f"after {ACT_TWO}" in text for text in told):
        raise Failure(f"screen readers hear {told}")
    if shown < 5:
        raise Failure(f"only {shown} ghosts in {ghosts}")
    # The scene in force brings no change.
    surface.send("/preset/standby", ACT_TWO)
    browser.go("mixer")
    browser.until("[...document.querySelectorAll('.ghost')].every((ghost) => ghost.hidden)")
    browser.go("scenes")
    browser.run("document.querySelector('mr-scenes .check input:checked')?.click()")
    return f"{shown} ghosts"


def a_guard_refuses_GO_and_the_page_says_why(browser, surface):
    stored(surface)
    browser.open("scenes")
    waits_for(browser, ACT_TWO)
    surface.send("/preset/guard", 8.0)
    recalled(surface, ACT_ONE)
    surface.send("/preset/standby", ACT_TWO)
    waits_for(browser, ACT_TWO)
    browser.tap("mr-button.go")
    said = browser.until("!document.querySelector('.refusal').hidden && document.querySelector('.refusal').textContent")
    browser.until("document.querySelector('.messages p')")
    if surface.get("/preset/current")[0] != ACT_ONE:
        raise Failure("the guard let GO pass")
    surface.send("/preset/guard", 0.0)
    surface.until("/preset/guard", lambda value: value == 0)
    browser.tap("mr-button.go")
    surface.until("/preset/current", lambda value: value == ACT_TWO)
    browser.until("document.querySelector('.refusal').hidden")
    return said


def a_fade_shows_and_can_be_aborted_and_undone(browser, surface):
    stored(surface)
    surface.send("/preset/fade", 20.0)
    browser.open("scenes")
    waits_for(browser, ACT_TWO)
    browser.tap("mr-button.go")
    browser.until("Number(document.querySelector('.progress').ariaValueNow) > 0 && document.querySelector('.progress').classList.contains('running')")
    browser.tap('mr-button[address="/preset/abort"]')
    browser.until("!document.querySelector('.progress').classList.contains('running')")
    level = surface.get("/session/show/gain")[0]
    if not -20.1 < level < -3.5:
        raise Failure(f"after abort the level is {level}")
    surface.send("/preset/fade", 0.0)
    surface.until("/preset/fade", lambda value: value == 0)
    browser.tap('mr-button[address="/preset/undo"]')
    surface.until("/session/show/gain", lambda value: abs(value + 20) < 0.01)
    surface.send("/session/show/gain", -21.0)
    browser.until("!document.querySelector('mr-scenes .current + button').hidden")
    return f"aborted at {level:.1f} dB"


def a_scene_is_stored_or_the_page_says_why_not(browser, surface):
    stored(surface)
    browser.open("scenes")
    new = f"act-{os.getpid()}-{time.monotonic_ns()}"
    opener = "document.querySelector('mr-scenes .store').click()"
    browser.run(opener)
    fill = "const [id, title] = document.querySelectorAll('mr-store input'); id.value = arguments[0]; title.value = arguments[1]"
    browser.run(fill, ACT_ONE, "Twice")
    browser.run("""document.querySelector('mr-store mr-button[address="/preset/store"]').click()""")
    said = browser.until("document.querySelector('mr-store [role=status]').textContent")
    if ACT_ONE not in said:
        raise Failure(f"a second scene of one id: {said}")
    browser.run(fill, new, "Act three")
    browser.run("""document.querySelector('mr-store mr-button[address="/preset/store"]').click()""")
    browser.until("document.querySelector('mr-store [role=status]').textContent == 'Stored.'")
    surface.until("/preset/current", lambda value: value == new)
    browser.until("document.querySelector(`[data-preset='${arguments[0]}'] bdi`)?.textContent == 'Act three'", new)
    surface.send("/preset/delete", new)
    return said


CHECKS = [
    GO_recalls_and_the_page_shows_it, next_and_previous_recall, preview_equals_recall, a_guard_refuses_GO_and_the_page_says_why,
    a_fade_shows_and_can_be_aborted_and_undone, a_scene_is_stored_or_the_page_says_why_not,
]
LAST = []
