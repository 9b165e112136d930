"""Checks of the players: transport, place, a queue that is reordered by finger and by keyboard, the library. The router has a media folder with
four songs or more (`--media`)."""

from browser import Failure

PLAYER = "check"
CARD = f'mr-player[player="{PLAYER}"]'
VIEWS = {"players": "mr-players .players"}


def titles(surface):
    return [row[1] for row in surface.rows(f"/player/{PLAYER}/queue/list")]


def filled(browser, surface):
    """A player with four songs, stopped at the first one, and its page."""
    songs = surface.rows("/library/songs")[:4]
    if len(songs) < 4:
        raise Failure(f"the library has only {len(songs)} songs; start the router with --media FOLDER")
    if PLAYER not in [row[0] for row in surface.rows("/player/list")]:
        surface.send("/player/create", PLAYER, "show")
    surface.until(f"/player/{PLAYER}/queue/length", lambda length: length >= 0)
    surface.send(f"/player/{PLAYER}/queue/clear")
    surface.send(f"/player/{PLAYER}/queue/add", *[song[0] for song in songs])
    surface.until(f"/player/{PLAYER}/queue/length", lambda length: length == 4)
    browser.open("players")
    names = titles(surface)
    lists(browser, names)
    return names


def lists(browser, names):
    browser.until("JSON.stringify([...document.querySelectorAll(arguments[0] + ' .item bdi:first-child')].map((item) => item.textContent)) == JSON.stringify(arguments[1])",
                  CARD, names)


def the_transport_plays_and_the_place_moves(browser, surface):
    filled(browser, surface)
    state = f"/player/{PLAYER}/state"
    browser.tap(f'{CARD} mr-button[address="/player/{PLAYER}/toggle"]')
    surface.until(state, lambda value: value == "playing")
    browser.until("document.querySelector(arguments[0] + ' .state').textContent == 'playing'", CARD)
    browser.until("parseFloat(document.querySelector(arguments[0] + ' input').value) > 0.2", f"{CARD} mr-seek")
    browser.tap(f'{CARD} mr-button[address="/player/{PLAYER}/queue/next"]')
    surface.until(f"/player/{PLAYER}/queue/index", lambda index: index == 1)
    browser.until("document.querySelector(arguments[0] + ' li.now').dataset.index == '1'", CARD)
    browser.tap(f'{CARD} mr-button[address="/player/{PLAYER}/toggle"]')
    surface.until(state, lambda value: value == "paused")
    browser.run("document.querySelector(arguments[0]).focus()", f"{CARD} mr-seek input")
    before = surface.get(f"/player/{PLAYER}/position")[0]
    browser.key("ArrowRight")
    after = surface.until(f"/player/{PLAYER}/position", lambda place: place > before + 4.5)
    browser.until("Math.abs(parseFloat(document.querySelector(arguments[0]).value) - arguments[1]) < 0.2", f"{CARD} mr-seek input", after)
    surface.send(f"/player/{PLAYER}/stop")


def a_queue_is_reordered_by_keyboard_and_by_finger(browser, surface):
    one, two, three, four = filled(browser, surface)
    browser.run("document.querySelector(arguments[0]).focus()", f'{CARD} li[data-index="0"] .handle')
    browser.key("ArrowDown")
    lists(browser, [two, one, three, four])
    # The focus goes with the item, so that the key can be pressed again.
    browser.until("document.activeElement.closest('li')?.dataset.index == '1'")
    browser.key("ArrowDown")
    lists(browser, [two, three, one, four])
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", f"{CARD} mr-queue")
    x, y = browser.middle(f'{CARD} li[data-index="3"] .handle')
    _, top = browser.middle(f'{CARD} li[data-index="0"] .handle')
    browser.touch("touchStart", (1, x, y))
    for step in range(1, 11):
        browser.touch("touchMove", (1, x, y + (top - y) * step / 10))
    browser.touch("touchEnd")
    lists(browser, [four, two, three, one])
    if titles(surface) != [four, two, three, one]:
        raise Failure(f"the router has {titles(surface)}")
    # What another surface moves, moves here.
    surface.send(f"/player/{PLAYER}/queue/move", 0, 3)
    lists(browser, [two, three, one, four])
    browser.tap(f'{CARD} li[data-index="0"] mr-button')
    lists(browser, [three, one, four])


def what_the_library_finds_goes_into_the_queue(browser, surface):
    names = filled(browser, surface)
    browser.run("document.querySelector('mr-library select').value = arguments[0]", PLAYER)
    browser.run("""
        const field = document.querySelector('mr-library input');
        field.value = arguments[0];
        field.dispatchEvent(new Event('input'));""", names[2])
    browser.until("document.querySelector('mr-library .found bdi')?.textContent == arguments[0]", names[2])
    browser.tap("mr-library .found mr-button")
    surface.until(f"/player/{PLAYER}/queue/length", lambda length: length == 5)
    lists(browser, names + [names[2]])


CHECKS = [the_transport_plays_and_the_place_moves, a_queue_is_reordered_by_keyboard_and_by_finger, what_the_library_finds_goes_into_the_queue]
LAST = []
