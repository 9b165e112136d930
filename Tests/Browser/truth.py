"""Checks that the page shows what is true: after a sleep, for another router, and of its right."""

import time
from contextlib import contextmanager

from pythonosc.osc_message_builder import OscMessageBuilder

from browser import Failure
from desk import FADER, shown

# The router ends the feedback to a client that is silent for 30 s, and begins anew with a snapshot.
LEASE = 30


def a_tab_that_slept_is_right_within_a_second(browser, surface):
    browser.open()
    browser.run("window.beats = [Date.now()]; setInterval(() => window.beats.push(Date.now()), 50)")
    wake = browser.freeze()
    end = time.monotonic() + LEASE + 3
    turn = 0
    while time.monotonic() < end:
        turn += 1
        surface.send("/session/show/fader", 0.2 + 0.5 * (turn % 40) / 40)
        time.sleep(0.2)
    surface.send("/session/show/fader", 0.31)
    surface.until("/session/show/fader", lambda value: abs(value - 0.31) < 0.001)
    began = time.monotonic()
    wake()
    shown(browser, FADER, 0.31, seconds=1)
    took = time.monotonic() - began
    slept = browser.value("Math.max(...window.beats.map((beat, index) => beat - (window.beats[index - 1] ?? beat))) / 1000")
    if slept < LEASE:
        raise Failure(f"the tab slept for {slept} s only")
    # The browser ends the connection of a page that sleeps, and says so.
    errors = [error for error in browser.log() if "Page entered Back-Forward Cache" not in error]
    if errors:
        raise Failure(f"the browser says {errors}")
    return f"slept for {slept:.0f} s, right after {took:.2f} s"


def a_machine_that_slept_does_not_take_old_values_for_true(browser, surface):
    browser.open()
    browser.run("""
        window.states = [];
        new MutationObserver(() => window.states.push(document.body.dataset.state)).observe(document.body, { attributes: true });
        const now = Date.now;
        Date.now = () => now() + 3_600_000;""")
    browser.until("window.states.includes('lost')", seconds=1)
    browser.until("document.body.dataset.state == 'live'", seconds=1)
    surface.send("/session/show/fader", 0.42)
    shown(browser, FADER, 0.42, seconds=1)


@contextmanager
def impostor(browser):
    """Opens the mixer, and answers what tells the page a message as if the router had sent it."""
    script = browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
        window.sockets = [];
        window.WebSocket = class extends WebSocket { constructor(...all) { super(...all); window.sockets.push(this); } };""")
    browser.open()

    def tell(address, *arguments):
        builder = OscMessageBuilder(address)
        for argument in arguments:
            builder.add_arg(argument)
        browser.run("window.sockets.at(-1).onmessage({ data: Uint8Array.from(arguments[0]).buffer })", list(builder.build().dgram))

    yield tell
    browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


def a_router_that_was_started_anew_has_values_of_its_own(browser, surface):
    mute = 'mr-switch[address="/session/show/mute"]'
    surface.send("/session/show/mute", 1)
    with impostor(browser) as tell:
        browser.until("document.querySelector(arguments[0]).ariaChecked == 'true'", mute)
        # Another epoch, and no values yet.
        tell("/welcome", 1, "admin", "multiroute", "1.0", 7, 30.0)
        browser.until("document.querySelector(arguments[0]).ariaChecked == 'false'", mute)
        # The connection is made anew, and the values are those of the router.
        browser.run("window.sockets.at(-1).close()")
        browser.until("document.querySelector(arguments[0]).ariaChecked == 'true' && document.body.dataset.state == 'live'", mute)
    surface.send("/session/show/mute", 0)


def what_is_denied_lets_the_page_ask_for_its_right(browser, surface):
    with impostor(browser) as tell:
        tell("/welcome", 1, "view", "multiroute", "1.0", 7, 30.0)
        browser.until("document.body.dataset.right == 'view' && document.querySelector(arguments[0]).ariaDisabled == 'true'", FADER)
        tell("/error", "/session/show/fader", 8, "denied", "No.")
        browser.until("document.body.dataset.right == 'admin'")


def the_right_to_a_mix_is_nothing_without_a_link(browser, surface):
    with impostor(browser) as tell:
        tell("/welcome", 1, "mix", "multiroute", "1.0", 7, 30.0)
        browser.until("document.body.dataset.right == 'mix'")
        if browser.value("document.querySelector(arguments[0]).ariaDisabled", FADER) != "true":
            raise Failure("the fader looks as if it moved")


CHECKS = [
    a_router_that_was_started_anew_has_values_of_its_own, what_is_denied_lets_the_page_ask_for_its_right,
    the_right_to_a_mix_is_nothing_without_a_link, a_tab_that_slept_is_right_within_a_second, a_machine_that_slept_does_not_take_old_values_for_true,
]
LAST = []
