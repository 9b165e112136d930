"""Checks of the picture of the routing."""

import json

from browser import Failure

VIEWS = {"routing": '.picture:has(.box[data-kind="program"]):has(path.hit)'}
SHEETS = [("box", "routing", '.box[data-kind="stream"]', ".ways li")]
# The lines stand in the order of the ways; a check finds one by where a touch on it leads.
LINES = "[...document.querySelectorAll('mr-routing path.line')]"
OPEN = """
const hits = [...document.querySelectorAll('mr-routing path.hit')];
for (const hit of hits) {
  hit.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const sheet = document.querySelector('.sheet');
  const title = sheet.querySelector('h2').textContent, reason = sheet.querySelector('.reason').textContent;
  sheet.remove();
  if (title === arguments[0]) return { index: hits.indexOf(hit), reason };
}
return null;"""
BAND = "show band → usb"


def way(browser, title=BAND):
    return browser.until(f"(() => {{{OPEN}}})()".replace("arguments[0]", json.dumps(title)))


def state_of(browser, index):
    return browser.value(f"{LINES}[arguments[0]].dataset.state", index)


def becomes(browser, state, says):
    """Waits for the state of the line from the band to the interface, and checks that a touch on it says why."""
    index = way(browser)["index"]
    browser.until(f"{LINES}[arguments[0]].dataset.state == arguments[1]", index, state)
    reason = way(browser)["reason"]
    if says not in reason:
        raise Failure(f"a {state} line says {reason}")
    return reason


def the_picture_is_alive(browser, surface):
    for address, value in (("/session/show/gain", 0.0), ("/session/show/stream/band/gain", 0.0), ("/session/show/stream/band/to/usb/gain", 0.0)):
        surface.send(address, value)
    surface.send("/session/show/stream/band/to/usb/on", 1)
    browser.open("routing")
    becomes(browser, "sounding", "Sounds with about")
    index = way(browser)["index"]
    width = f"parseFloat({LINES}[arguments[0]].style.strokeWidth)"
    loud = browser.value(width, index)
    surface.send("/session/show/gain", -20.0)
    browser.until(f"{width} < arguments[1] - 1", index, loud)
    surface.send("/session/show/gain", 0.0)
    browser.until(f"{width} > arguments[1] - 0.3", index, loud)
    # The way of the program to the stream sounds, too, and the boxes have levels.
    browser.until(f"{LINES}[arguments[0]].dataset.state == 'sounding'", way(browser, "Band → show band")["index"])
    browser.until("document.querySelector('.box[data-key=\"/output/usb\"]').dataset.state == 'sounds'")


def a_silent_way_says_why(browser, surface):
    browser.open("routing")
    becomes(browser, "sounding", "Sounds")
    told = []
    for address, on, off, state, says in [
            ("/session/show/stream/band/mute", 1, 0, "blocked", "stream band is muted"), ("/session/show/mute", 1, 0, "blocked", "session show is muted"),
            ("/output/usb/mute", 1, 0, "blocked", "output usb is muted"), ("/session/show/stream/band/to/usb/on", 0, 1, "off", "switched off"),
            ("/session/show/stream/band/gain", -90.0, 0.0, "blocked", "fader of stream band is off"), ("/system/panic", 1, 0, "blocked", "Panic"),
            ("/output/usb/plugged", 0, 1, "waiting", "usb is away"), ("/session/show/active", 0, 1, "waiting", "not on air")]:
        surface.send(address, on)
        told.append(becomes(browser, state, says))
        surface.send(address, off)
        becomes(browser, "sounding", "Sounds")
    # A program that plays nothing: the router's own word for it.
    told.append(way(browser, "show click → headphones")["reason"])
    return "; ".join(told)


def a_touch_reaches_a_line_and_a_box(browser, surface):
    browser.open("routing")
    index = way(browser)["index"]
    x, y = browser.value("""(() => {
        const hit = document.querySelectorAll('mr-routing path.hit')[arguments[0]];
        const box = hit.ownerSVGElement.getBoundingClientRect(), point = hit.getPointAtLength(hit.getTotalLength() * 0.25);
        return [box.x + point.x, box.y + point.y];
    })()""".replace("arguments[0]", str(index)))
    browser.touch("touchStart", (1, x, y))
    browser.touch("touchEnd")
    browser.until("document.querySelector('.sheet .reason')")
    browser.run("document.querySelector('.sheet').close()")
    browser.tap('.box[data-key="/session/show"]')
    ways = browser.until("document.querySelectorAll('.sheet .ways li').length > 1 && [...document.querySelectorAll('.sheet .ways li')].map((row) => row.textContent)")
    if not any("band → usb" in row for row in ways):
        raise Failure(f"the ways of show are {ways}")
    browser.run("document.querySelector('.sheet').close()")


def a_new_stream_comes_into_the_picture(browser, surface):
    browser.open("routing")
    surface.send("/session/show/stream/create", "extra", 1)
    browser.until("document.querySelector('.box[data-key=\"/session/show/stream/extra\"]')")
    surface.send("/session/show/stream/remove", "extra")
    browser.until("!document.querySelector('.box[data-key=\"/session/show/stream/extra\"]')")


CHECKS = [the_picture_is_alive, a_silent_way_says_why, a_touch_reaches_a_line_and_a_box, a_new_stream_comes_into_the_picture]
LAST = []
