"""Checks that the page shows what is true after a sleep."""

import time

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


CHECKS = [a_tab_that_slept_is_right_within_a_second, a_machine_that_slept_does_not_take_old_values_for_true]
LAST = []
