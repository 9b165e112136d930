"""Checks that everyone else's finger is seen."""

from browser import Failure, Surface
from desk import FADER, OTHER, stands

HELD = "document.querySelector(arguments[0]).dataset.others"


def everyone_elses_finger_is_seen(browser, surface, folder):
    x, y = stands(browser, surface, 0.5)
    tablet = Surface(surface.socket.getpeername()[1])
    tablet.send("/hello", "<b>Anna's</b> tablet")
    tablet.send("/output/usb/fader/touch", 1)
    browser.until(f"{HELD} == arguments[1]", OTHER, "<b>Anna's</b> tablet", seconds=1)
    if "held by" not in browser.value("document.querySelector(arguments[0]).ariaValueText", OTHER):
        raise Failure("screen readers are not told of the finger")
    browser.driver.save_screenshot(f"{folder}/finger.png")
    tablet.send("/output/usb/fader/touch", 0)
    browser.until(f"!{HELD}", OTHER, seconds=1)
    # A finger of one's own is none of others.
    browser.touch("touchStart", (1, x, y))
    tablet.until("/system/touched", lambda text: text.startswith("/session/show/gain ") and text.endswith(" page"))
    tablet.send("/output/usb/fader/touch", 1)
    browser.until(HELD, OTHER)
    if browser.value(HELD, FADER):
        raise Failure("the page takes its own finger for another's")
    browser.touch("touchEnd")
    # Who leaves lifts all fingers.
    tablet.send("/bye")
    browser.until(f"!{HELD}", OTHER, seconds=1)


CHECKS = [everyone_elses_finger_is_seen]
LAST = []
