"""Checks of solos and talkbacks."""

from browser import Failure

SOLO = 'mr-switch[address="/session/show/solo"]'
TALK = 'mr-talk[session="talk"]'
CLEAR = "mr-monitoring mr-button"


def a_solo_is_lit_and_cleared(browser, surface):
    browser.open()
    if browser.value("document.querySelector('mr-monitoring').offsetHeight || document.querySelector(arguments[0]).offsetHeight", SOLO):
        raise Failure("there is a solo without a monitor output")
    surface.send("/output/headphones/monitor/on", 1)
    browser.until("document.querySelector(arguments[0]).offsetHeight >= 44 && document.querySelector(arguments[1]).offsetHeight >= 44", SOLO, CLEAR)
    browser.tap(SOLO)
    surface.until("/session/show/solo", lambda value: value == 1)
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'true' && document.querySelector(arguments[1]).classList.contains('on')", SOLO, CLEAR)
    browser.tap(CLEAR)
    surface.until("/session/show/solo", lambda value: value == 0)
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'false' && !document.querySelector(arguments[1]).classList.contains('on')", SOLO, CLEAR)
    surface.send("/output/headphones/monitor/on", 0)
    browser.until("!document.querySelector('mr-monitoring').offsetHeight")


def a_talkback_is_held_and_latched(browser, surface):
    surface.send("/session/create", "talk", "multiRoute")
    surface.send("/session/talk/talkback/to", "usb")
    surface.send("/session/talk/talkback/latch", 0.0)
    browser.open()
    browser.until("document.querySelector(arguments[0])?.offsetHeight >= 44", TALK)
    browser.touch("touchStart", (1, *browser.middle(TALK)))
    surface.until("/talkback/talk/on", lambda value: value == 1)
    browser.until("document.querySelector(arguments[0]).ariaPressed == 'true'", TALK)
    browser.touch("touchEnd")
    surface.until("/talkback/talk/on", lambda value: value == 0)
    browser.until("document.querySelector(arguments[0]).ariaPressed == 'false'", TALK)
    # A short press latches, and a page that goes closes what it has opened.
    surface.send("/session/talk/talkback/latch", 2.0)
    browser.tap(TALK)
    browser.until("document.querySelector(arguments[0]).ariaPressed == 'true'", TALK)
    surface.until("/talkback/talk/on", lambda value: value == 1)
    browser.driver.get("about:blank")
    surface.until("/talkback/talk/on", lambda value: value == 0)
    surface.send("/session/remove", "talk")
    browser.open()
    browser.until("!document.querySelector(arguments[0])", TALK)


CHECKS = [a_solo_is_lit_and_cleared, a_talkback_is_held_and_latched]
LAST = []
