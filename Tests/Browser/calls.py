"""Checks of calls, ducking, the silent switch and panic."""

from browser import Failure

VIEWS = {"calls": "mr-call"}
PANIC = "mr-button.panic"


def switch(address):
    return f'mr-switch[address="{address}"]'


def is_on(browser, selector, isOn=True):
    browser.until("document.querySelector(arguments[0])?.ariaChecked == String(arguments[1])", selector, isOn)


def a_call_rings_is_on_and_off(browser, surface):
    surface.send("/session/create", "guest", "playback")
    surface.send("/session/guest/active", 1)
    surface.until("/session/guest/active", lambda value: value == 1)
    browser.open("calls")
    state = "document.querySelector('mr-call[source=phone]').dataset.state"
    ringing, on = switch("/interruption/phone/ringing"), switch("/interruption/phone/on")
    browser.tap(ringing)
    surface.until("/interruption/phone/ringing", lambda value: value == 1)
    is_on(browser, ringing)
    browser.until(f"{state} == 'ringing'")
    browser.tap(on)
    surface.until("/interruption/phone/on", lambda value: value == 1)
    browser.until(f"{state} == 'on'")
    browser.until("!document.querySelector('mr-affected[session=guest]').hidden"
                  " && document.querySelector('mr-affected[session=guest]').textContent.includes('interrupted')")
    why = browser.until("document.querySelector('mr-affected[session=guest] .why').textContent")
    browser.tap(on)
    surface.until("/interruption/phone/on", lambda value: value == 0)
    surface.send("/interruption/phone/ringing", 0)
    browser.until(f"{state} == 'off'")
    browser.until("document.querySelector('mr-affected[session=guest]').hidden")
    surface.send("/session/remove", "guest")
    browser.until("!document.querySelector('mr-affected[session=guest]')")
    return why


def a_source_that_another_surface_uses_is_there(browser, surface):
    browser.open("calls")
    surface.send("/interruption/intercom/on", 1)
    browser.until("document.querySelector('mr-call[source=intercom]')?.dataset.state == 'on'")
    browser.tap('mr-button[address="/interruption/clear"]')
    browser.until("document.querySelector('mr-call[source=intercom]').dataset.state == 'off'")


def ducking_names_the_ducker_and_the_amount(browser, surface):
    surface.send("/session/announce/activate", "manual")
    browser.open("calls")
    surface.send("/session/announce/active", 1)
    browser.until("""document.querySelector('mr-affected[session=show] .amount')?.textContent == '-14.0 dB'
                     && document.querySelector('mr-affected[session=show] .why').textContent.includes('by announce')""")
    surface.send("/session/announce/active", 0)
    browser.until("document.querySelector('mr-affected[session=show]').hidden")
    field = "document.querySelector('mr-number[address=\"/duck/level\"] input')"
    browser.run(f"{field}.value = -20; {field}.dispatchEvent(new Event('change'))")
    surface.until("/duck/level", lambda value: value == -20)
    browser.until(f"{field}.value == '-20'")
    surface.send("/duck/level", -14.0)
    browser.until(f"{field}.value == '-14'")


def a_call_that_ended_unseen_is_off(browser, surface):
    browser.open("calls")
    state = "document.querySelector('mr-call[source=phone]').dataset.state"
    surface.send("/interruption/phone/on", 1)
    browser.until(f"{state} == 'on'")
    browser.go("mixer")
    surface.send("/interruption/phone/on", 0)
    surface.until("/interruption/phone/on", lambda value: value == 0)
    browser.go("calls")
    browser.until(f"{state} == 'off'", seconds=5)
    is_on(browser, switch("/interruption/phone/on"), False)


def the_silent_switch_goes_both_ways(browser, surface):
    browser.open("calls")
    for expected in (1, 0):
        browser.tap(switch("/silent"))
        surface.until("/silent", lambda value, expected=expected: value == expected)
        is_on(browser, switch("/silent"), expected == 1)


def panic_must_be_held(browser, surface):
    browser.open("calls")
    held = "document.querySelector(arguments[0]).classList.contains('held')"
    # A tap does nothing: not now, and not when the time of holding has passed.
    browser.tap(PANIC)
    later = browser.value("performance.now() + 700")
    browser.until("performance.now() > arguments[0]", later)
    if browser.value(held, PANIC) or surface.get("/system/panic")[0] == 1:
        raise Failure("a tap was enough for panic")
    for expected in (1, 0):
        middle = browser.middle(PANIC)
        browser.touch("touchStart", (1, *middle))
        scale = browser.until("(new DOMMatrix(getComputedStyle(document.querySelector(arguments[0]), '::after').transform)).a > 0.2"
                              " && (new DOMMatrix(getComputedStyle(document.querySelector(arguments[0]), '::after').transform)).a", PANIC)
        if scale > 1:
            raise Failure(f"the progress is {scale}")
        surface.until("/system/panic", lambda value, expected=expected: value == expected, seconds=3)
        browser.touch("touchEnd")
        browser.until("document.querySelector(arguments[0]).classList.contains('on') == (arguments[1] == 1)", PANIC, expected)
    # The keyboard holds, too.
    browser.run("document.querySelector(arguments[0]).focus()", PANIC)
    for expected in (1, 0):
        browser.press(" ")
        surface.until("/system/panic", lambda value, expected=expected: value == expected, seconds=3)
        browser.lift(" ")
        browser.until("document.querySelector(arguments[0]).classList.contains('on') == (arguments[1] == 1)", PANIC, expected)


def two_who_hold_panic_want_the_same(browser, surface):
    browser.open("calls")
    browser.touch("touchStart", (1, *browser.middle(PANIC)))
    browser.until("document.querySelector(arguments[0]).classList.contains('held')", PANIC)
    surface.send("/system/panic", 1)
    browser.until("document.querySelector(arguments[0]).classList.contains('on')", PANIC)
    browser.until("!document.querySelector(arguments[0]).classList.contains('held')", PANIC)
    browser.touch("touchEnd")
    # What the page has sent comes before its answer to this.
    surface.send("/silent", 1)
    is_on(browser, switch("/silent"))
    browser.tap(switch("/silent"))
    surface.until("/silent", lambda value: value == 0)
    if surface.get("/system/panic")[0] != 1:
        raise Failure("the second of two who held panic has ended it")
    surface.send("/system/panic", 0)
    surface.until("/system/panic", lambda value: value == 0)


def a_number_counts_from_the_answer(browser, surface):
    """The keyboard stays in the field: it shows what the router made of a number, and each step counts from that."""
    browser.open("calls")
    surface.send("/duck/level", -14.0)
    selector = 'mr-number[address="/duck/level"] input'
    browser.until("document.querySelector(arguments[0]).value == '-14'", selector)
    field = browser.driver.find_element("css selector", selector)
    browser.run("document.querySelector(arguments[0]).select()", selector)
    field.send_keys("-5\ue007")
    surface.until("/duck/level", lambda value: value == -5)
    field.send_keys("\ue013\ue013")
    surface.until("/duck/level", lambda value: value == -3)
    browser.until("document.querySelector(arguments[0]).value == '-3'", selector)
    # Typing is not disturbed, and what another person sets is seen when it ends.
    field.send_keys("7")
    surface.send("/duck/level", -20.0)
    surface.until("/duck/level", lambda value: value == -20)
    browser.until("import('/core/router.js').then(({ router }) => router.value('/duck/level') == -20)")
    if browser.value("document.querySelector(arguments[0]).value", selector) != "-37":
        raise Failure("the number changed while it was typed")
    browser.run("document.querySelector(arguments[0]).value = ''; document.activeElement.blur()", selector)
    browser.until("document.querySelector(arguments[0]).value == '-20'", selector)
    surface.send("/duck/level", -14.0)


def a_source_is_named_in_small_letters(browser, surface):
    browser.open("calls")
    browser.run("const name = document.querySelector('.add input'); name.value = 'Intercom'; name.nextSibling.click()")
    browser.until("document.querySelector('mr-call[source=intercom]')")
    browser.tap(switch("/interruption/intercom/on"))
    surface.until("/interruption/intercom/on", lambda value: value == 1)
    surface.send("/interruption/intercom/on", 0)


def a_name_that_is_no_address_is_refused_in_words(browser, surface):
    browser.open("calls")
    browser.run("const name = document.querySelector('.add input'); name.value = 'a/b'; name.nextSibling.click()")
    browser.until("document.querySelector('.messages').textContent.includes('cannot name a source')")
    if len(browser.texts("mr-call")) != len(set(browser.texts("mr-call .name"))) or any("/" in name for name in browser.texts("mr-call .name")):
        raise Failure(f"the sources are {browser.texts('mr-call .name')}")


CHECKS = [
    a_call_rings_is_on_and_off, a_source_that_another_surface_uses_is_there, ducking_names_the_ducker_and_the_amount,
    the_silent_switch_goes_both_ways, panic_must_be_held, a_name_that_is_no_address_is_refused_in_words, a_call_that_ended_unseen_is_off,
    two_who_hold_panic_want_the_same, a_number_counts_from_the_answer, a_source_is_named_in_small_letters,
]
LAST = []
