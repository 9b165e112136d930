"""Checks of the strips of groups."""

from browser import Failure

STRIP = 'mr-group-strip[subject="/group/music"]'


def a_group_is_a_strip_of_its_own(browser, surface):
    surface.send("/group/create", "music")
    surface.send("/group/music/members", "session:show", "output:speaker")
    browser.open()
    browser.until("document.querySelector(arguments[0])", STRIP)
    # Groups stand first, as on a desk.
    if not browser.value("document.querySelector('.strip').matches(arguments[0])", STRIP):
        raise Failure(f"the first strip is {browser.value('document.querySelector(`.strip`).outerHTML.slice(0, 99)')}")
    browser.tap(f"{STRIP} .mute")
    surface.until("/group/music/mute", lambda value: value == 1)
    browser.until("document.querySelector(arguments[0]).textContent.includes('muted')", f"{STRIP} .lamp")
    surface.until("/session/show/why", lambda sentence: "music" in sentence)
    # The members keep their own switches.
    if surface.get("/session/show/mute")[0] != 0:
        raise Failure("the mute of the group has set that of a member")
    browser.tap(f"{STRIP} .mute")
    browser.until("document.querySelector(arguments[0]).textContent.includes('open')", f"{STRIP} .lamp")
    surface.send("/group/music/fader", 0.5)
    browser.until("parseFloat(document.querySelector(arguments[0]).ariaValueNow) < -5", f"{STRIP} mr-fader")
    browser.run("document.querySelector(arguments[0]).focus()", f"{STRIP} mr-fader")
    browser.key("Home")
    surface.until("/group/music/fader", lambda value: value == 0)
    browser.run("document.querySelector(arguments[0]).click()", f"{STRIP} .head")
    browser.until("document.querySelector('.sheet')?.textContent.includes('output:speaker')")
    browser.run("document.querySelector('.sheet').close()")
    surface.send("/group/remove", "music")
    browser.until("!document.querySelector(arguments[0])", STRIP)


CHECKS = [a_group_is_a_strip_of_its_own]
LAST = []
