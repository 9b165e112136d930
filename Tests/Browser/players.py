"""Checks of the players: transport, place, order of the queue by finger and by keyboard, and the library."""

import os

from browser import Failure

PLAYER = f"walkin-{os.getpid()}"
PANEL = f'mr-player[player="{PLAYER}"]'
SONGS = ["music.ogg", "foyer.ogg", "evening.ogg", "announcement.flac"]
VIEWS = {"players": "mr-library li"}
SHEETS = []


def address(leaf):
    return f"/player/{PLAYER}/{leaf}"


def button(leaf):
    return f'{PANEL} mr-button[address="{address(leaf)}"]'


def titles(surface):
    return [row[1] for row in surface.rows(address("queue/list"))]


def filled(browser, surface):
    """A player with the songs in their order, which stands still at the first one; the page shows it."""
    if PLAYER not in [row[0] for row in surface.rows("/player/list")]:
        surface.send("/player/create", PLAYER, "show.band")
    surface.until(address("state"), lambda value: value is not None)
    for leaf, value in [("queue/repeat", "none"), ("queue/shuffle", "off"), ("loops", 0)]:
        surface.send(address(leaf), value)
    surface.send(address("stop"))
    surface.send(address("file"), SONGS[0])
    surface.until(address("queue/length"), lambda value: value == 1)
    surface.send(address("queue/add"), *SONGS[1:])
    surface.until(address("queue/length"), lambda value: value == len(SONGS))
    browser.open("players")
    shows(browser, titles(surface))


def shows(browser, expected):
    """Waits until the page shows the queue so."""
    browser.until("JSON.stringify([...document.querySelectorAll(arguments[0] + ' .item .name')].map((name) => name.textContent))"
                  " == JSON.stringify(arguments[1])", f"{PANEL} mr-queue li", expected)


def is_so(browser, surface, expected):
    """Waits until the router and the page have a queue."""
    browser.until("true")
    for _ in range(200):
        if titles(surface) == expected:
            return shows(browser, expected)
    raise Failure(f"the queue is {titles(surface)} and not {expected}")


def transport_goes_both_ways(browser, surface):
    filled(browser, surface)
    state = "document.querySelector(arguments[0]).dataset.state"
    browser.tap(button("play"))
    surface.until(address("playing"), lambda value: value == 1)
    browser.until(f"{state} == 'playing' && document.querySelector(arguments[1]).classList.contains('on')", PANEL, button("play"))
    browser.tap(button("pause"))
    surface.until(address("state"), lambda value: value == "paused")
    browser.until(f"{state} == 'paused'", PANEL)
    browser.tap(button("queue/next"))
    surface.until(address("queue/index"), lambda value: value == 1)
    browser.until("document.querySelector(arguments[0] + ' mr-queue li:nth-child(2)').classList.contains('now')", PANEL)
    browser.tap(button("queue/previous"))
    surface.until(address("queue/index"), lambda value: value == 0)
    expected = titles(surface)
    browser.until("document.querySelector(arguments[0] + ' .title').textContent == arguments[1]", PANEL, expected[0])
    browser.until("document.querySelector(arguments[0] + ' .upcoming bdi').textContent == arguments[1]", PANEL, expected[1])
    surface.send(address("queue/index"), 2)
    browser.until("document.querySelector(arguments[0] + ' .title').textContent == arguments[1]", PANEL, expected[2])
    browser.tap(f"{PANEL} mr-queue li:nth-child(4) .item")
    surface.until(address("queue/index"), lambda value: value == 3)
    browser.tap(button("stop"))
    surface.until(address("state"), lambda value: value in ("stopped", "prepared"))


def loops_and_order_are_chosen(browser, surface):
    filled(browser, surface)
    browser.run("document.querySelector(arguments[0] + ' details').open = true", PANEL)
    for leaf, word in [("queue/repeat", "all"), ("queue/shuffle", "songs"), ("queue/shuffle", "off"), ("queue/repeat", "one")]:
        choice = f'{PANEL} mr-choice[address="{address(leaf)}"] select'
        browser.run("const select = document.querySelector(arguments[0]); select.value = arguments[1];"
                    " select.dispatchEvent(new Event('change'))", choice, word)
        surface.until(address(leaf), lambda value, word=word: value == word)
        browser.until("document.querySelector(arguments[0]).value == arguments[1]", choice, word)
    browser.until("document.querySelector(arguments[0] + ' .upcoming bdi').textContent.endsWith('again')", PANEL)
    surface.send(address("queue/repeat"), "none")
    more = f'{PANEL} mr-number[address="{address("loops")}"] [aria-label="More Play again"]'
    browser.run("document.querySelector(arguments[0]).click()", more)
    surface.until(address("loops"), lambda value: value == 1)


def the_place_follows_a_finger_and_is_not_fought(browser, surface):
    filled(browser, surface)
    duration = surface.until(address("duration"), lambda value: value > 0)
    bar = f"{PANEL} mr-seek .bar"
    browser.until("document.querySelector(arguments[0]).ariaDisabled == 'false'", bar)
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", bar)
    box = browser.value("document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", bar)
    at = lambda part: (1, box["x"] + 22 + (box["width"] - 44) * part, box["y"] + 22)
    where = "parseFloat(/[\\d.]+(?=%)/.exec(document.querySelector(arguments[0] + ' .travel').style.transform)) / 100"
    browser.touch("touchStart", at(0.25))
    for step in range(1, 6):
        browser.touch("touchMove", at(0.25 + 0.05 * step))
    browser.until(f"Math.abs({where} - 0.5) < 0.02", bar)
    # Another surface goes elsewhere, and a value beside it tells when the page has heard of that.
    surface.send(address("position"), duration * 0.9)
    surface.until(address("position"), lambda value: abs(value - duration * 0.9) < 1)
    surface.send(address("mute"), 1)
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'true'", f'mr-switch[address="{address("mute")}"]')
    if abs(browser.value(where, bar) - 0.5) > 0.02:
        raise Failure("the place left the finger")
    browser.touch("touchEnd")
    surface.until(address("position"), lambda value: abs(value - duration / 2) < duration * 0.03)
    surface.send(address("mute"), 0)
    browser.until(f"Math.abs({where} - 0.5) < 0.03", bar)
    browser.run("document.querySelector(arguments[0]).focus()", bar)
    for key, expected in [("Home", 0), ("ArrowRight", 5), ("ArrowRight", 10), ("ArrowLeft", 5)]:
        browser.key(key)
        wanted = min(expected, duration)
        surface.until(address("position"), lambda value, wanted=wanted: abs(value - wanted) < 0.5)
        browser.until("Math.abs(document.querySelector(arguments[0]).ariaValueNow - arguments[1]) <= 1", bar, wanted)
    return f"of {duration:.1f} s"


def a_finger_reorders_the_queue(browser, surface):
    filled(browser, surface)
    first = titles(surface)
    row = f"{PANEL} mr-queue li"
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", f"{row}:nth-child(2)")
    x, y = browser.middle(f"{row}:nth-child(1) .handle")
    height = browser.middle(f"{row}:nth-child(2) .handle")[1] - y
    browser.touch("touchStart", (1, x, y))
    for step in range(1, 9):
        browser.touch("touchMove", (1, x, y + height * 2.1 * step / 8))
    browser.until("document.querySelector(arguments[0]).classList.contains('dragged')"
                  " && document.querySelector(arguments[1]).style.transform != ''", f"{row}:nth-child(1)", f"{row}:nth-child(3)")
    if titles(surface) != first:
        raise Failure("the queue has changed before the finger left")
    browser.touch("touchEnd")
    is_so(browser, surface, [first[1], first[2], first[0], first[3]])
    # A finger that the system takes away, and Escape, move nothing.
    x, y = browser.middle(f"{row}:nth-child(1) .handle")
    for end in ("touchCancel", "Escape"):
        browser.touch("touchStart", (1, x, y))
        browser.touch("touchMove", (1, x, y + height * 2))
        browser.until("document.querySelector(arguments[0]).classList.contains('dragged')", f"{row}:nth-child(1)")
        if end == "Escape":
            browser.key("Escape")
            browser.until("!document.querySelector('.dragged')")
            browser.touch("touchEnd")
        else:
            browser.touch(end)
        browser.until("!document.querySelector('.dragged')")
    is_so(browser, surface, [first[1], first[2], first[0], first[3]])


def the_keyboard_reorders_and_removes(browser, surface):
    filled(browser, surface)
    a, b, c, d = titles(surface)
    row = f"{PANEL} mr-queue li"
    browser.run("document.querySelector(arguments[0]).focus()", f"{row}:nth-child(1) .handle")
    browser.key("ArrowDown")
    is_so(browser, surface, [b, a, c, d])
    focused = "document.activeElement.classList.contains(arguments[0]) && document.activeElement.closest('li').matches(`:nth-child(${arguments[1]})`)"
    browser.until(focused, "handle", 2)
    browser.key("ArrowDown")
    is_so(browser, surface, [b, c, a, d])
    browser.tap(f"{row}:nth-child(4) .up")
    is_so(browser, surface, [b, c, d, a])
    browser.tap(f"{row}:nth-child(1) .down")
    is_so(browser, surface, [c, b, d, a])
    browser.tap(f"{row}:nth-child(2) .remove")
    is_so(browser, surface, [c, d, a])
    browser.until(focused, "remove", 2)
    # What another surface does is there soon.
    surface.send(address("queue/move"), 2, 0)
    is_so(browser, surface, [a, c, d])


def the_library_finds_and_adds(browser, surface):
    filled(browser, surface)
    found = surface.rows("/library/find", "foyer")
    if not found:
        raise Failure("the library does not find foyer")
    browser.run("const words = document.querySelector('mr-library input'); words.value = 'foyer'; words.dispatchEvent(new Event('input'))")
    browser.until("document.querySelectorAll('mr-library li').length == arguments[0]"
                  " && document.querySelector('mr-library li .name').textContent == arguments[1]", len(found), found[0][1])
    browser.run("const player = document.querySelector('mr-library .target select'); player.value = arguments[0]; player.dispatchEvent(new Event('change'))", PLAYER)
    before = titles(surface)
    browser.tap("mr-library li mr-button.add")
    is_so(browser, surface, before + [found[0][1]])
    browser.tap("mr-library li mr-button.insert")
    is_so(browser, surface, before[:1] + [found[0][1]] + before[1:] + [found[0][1]])
    browser.run("const words = document.querySelector('mr-library input'); words.value = 'no such song at all'; words.dispatchEvent(new Event('input'))")
    browser.until("document.querySelectorAll('mr-library li').length == 0 && document.querySelector('mr-library [role=status]').textContent.startsWith('0 of 0')")


def a_player_comes_and_goes(browser, surface):
    browser.open("players")
    name = f"made-{os.getpid()}"
    browser.until("document.querySelector('mr-created select').options.length > 0")
    browser.run("const made = document.querySelector('mr-created'); made.querySelector('input').value = arguments[0];"
                " made.querySelector('select').value = 'show.band'; made.querySelector('mr-button').click()", name)
    browser.until("document.querySelector(`mr-player[player='${arguments[0]}']`)", name)
    if surface.get(f"/player/{name}/stream")[0] != "show.band":
        raise Failure("the player plays into another stream")
    surface.send("/player/remove", name)
    browser.until("!document.querySelector(`mr-player[player='${arguments[0]}']`)", name)


CHECKS = [
    transport_goes_both_ways, loops_and_order_are_chosen, the_place_follows_a_finger_and_is_not_fought, a_finger_reorders_the_queue,
    the_keyboard_reorders_and_removes, the_library_finds_and_adds, a_player_comes_and_goes,
]
LAST = []
