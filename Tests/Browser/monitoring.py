"""Checks of solos and talkbacks."""

from browser import Failure, Surface

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


def make_talkback(browser, surface):
    surface.send("/session/create", "talk", "multiRoute")
    surface.send("/session/talk/talkback/to", "usb")
    surface.send("/session/talk/talkback/latch", 0.0)
    browser.open()
    browser.until("document.querySelector(arguments[0])?.offsetHeight >= 44", TALK)


def a_talkback_is_held_and_latched(browser, surface):
    make_talkback(browser, surface)
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


def a_talkback_is_closed_by_those_who_opened_it(browser, surface):
    make_talkback(browser, surface)
    pressed = "document.querySelector(arguments[0]).ariaPressed == arguments[1]"
    # Of two fingers one leaves. After two real ones the browser's protocol gives no further touches to a new page.
    event = "document.querySelector(arguments[0]).dispatchEvent(new PointerEvent(arguments[1], { pointerId: arguments[2], button: 0 }))"
    for finger in (1, 2):
        browser.run(event, TALK, "pointerdown", finger)
    browser.until(pressed, TALK, "true")
    browser.run(event, TALK, "pointerup", 1)
    surface.send("/session/show/mute", 1)
    browser.until("""document.querySelector('mr-switch[address="/session/show/mute"]').ariaChecked == 'true'""")
    surface.send("/session/show/mute", 0)
    isOpen = surface.get("/talkback/talk/on")[0] == 1
    browser.run(event, TALK, "pointerup", 2)
    surface.until("/talkback/talk/on", lambda value: value == 0)
    browser.until(pressed, TALK, "false")
    # Another person opens it, and this page looks at something else.
    other = Surface(surface.socket.getpeername()[1])
    other.send("/hello", "other")
    other.send("/talkback/talk/on", 1)
    browser.until(pressed, TALK, "true")
    browser.go("matrix")
    browser.until("document.querySelector('.cell')")
    isKept = surface.get("/talkback/talk/on")[0] == 1
    other.send("/talkback/talk/on", 0)
    other.send("/bye")
    surface.send("/session/remove", "talk")
    if not isOpen or not isKept:
        raise Failure("another person's talkback was closed" if isOpen else "the second finger does not hold the talkback")


CHECKS = [a_solo_is_lit_and_cleared, a_talkback_is_held_and_latched, a_talkback_is_closed_by_those_who_opened_it]
LAST = []
