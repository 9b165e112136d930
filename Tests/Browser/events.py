"""Checks of events, health and load."""

import json
import time
import urllib.request

from browser import Failure

VIEWS = {"events": 'mr-events:has(mr-alarm:not([hidden])):has(mr-event-list li):has(path.load[d^="M"])'}
SHEETS = [("alarm", "events", "mr-alarm button", ".sheet p:not(:empty) + p:not(:empty)")]
SEEN = "[...document.querySelectorAll('mr-event-list li')].filter((row) => !row.hidden)"


def a_refused_command_is_a_sentence(browser, surface):
    browser.open("events")
    browser.until(f"{SEEN}.length > 0")
    surface.send("/session/nobody/mute", 1)
    row = browser.until(f"{SEEN}.find((row) => row.dataset.kind == 'error' && row.textContent.includes('nobody'))?.textContent")
    # The newest stands first.
    serials = browser.value(f"{SEEN}.map((row) => row.querySelector('time').dateTime)")
    if serials != sorted(serials, reverse=True):
        raise Failure(f"the order is {serials[:5]}")
    return row


def marked(browser, surface, mark):
    """Makes an event with a word of its own, and answers its place in the list when the page has it."""
    surface.send(f"/session/{mark}/mute", 1)
    return browser.until(f"1 + {SEEN}.findIndex((row) => row.textContent.includes(arguments[0]))", mark) - 1


def looking_is_no_error(browser, surface):
    """A page that only looks makes no event of its own."""
    browser.open("events")
    first, last = f"begin-{time.monotonic_ns()}", f"end-{time.monotonic_ns()}"
    marked(browser, surface, first)
    for subject in browser.value("[...document.querySelectorAll('nav a')].map((link) => link.hash.slice(2))"):
        browser.go(subject)
    browser.open("events")
    end = marked(browser, surface, last)
    rows = browser.value(f"{SEEN}.map((row) => row.textContent)")
    begin = next(index for index, row in enumerate(rows) if first in row)
    errors = [row for row in rows[end + 1:begin] if "error" in row and "by page" in row]
    if errors:
        raise Failure(f"looking made {errors}")


def events_are_filtered(browser, surface):
    browser.open("events")
    surface.send("/session/nobody/mute", 1)
    browser.until(f"{SEEN}.some((row) => row.textContent.includes('nobody'))")
    kind, words = "document.querySelector('mr-event-list select')", "document.querySelector('mr-event-list input')"
    browser.run(f"{kind}.value = 'devices'; {kind}.dispatchEvent(new Event('change'))")
    kinds = set(browser.value(f"{SEEN}.map((row) => row.dataset.kind)"))
    if not kinds or not kinds <= {"port", "session", "inputs", "category"}:
        raise Failure(f"devices and sessions are {kinds}")
    browser.run(f"{kind}.value = 'all'; {kind}.dispatchEvent(new Event('change'))")
    browser.run(f"{words}.value = 'NOBODY mute'; {words}.dispatchEvent(new Event('input'))")
    rows = browser.value(f"{SEEN}.map((row) => row.textContent)")
    if not rows or not all("nobody" in row for row in rows):
        raise Failure(f"the words find {rows[:3]}")
    return browser.value("document.querySelector('mr-event-list [role=status]').textContent")


def events_are_only_text(browser, surface):
    browser.open("events")
    surface.send("/session/show/name", "<img src=x onerror=window.broken=1>")
    surface.send("/preset/recall", "<img src=x onerror=window.broken=1>")
    browser.until(f"{SEEN}.some((row) => row.textContent.includes('<img src=x'))")
    if browser.value("window.broken || document.querySelector('mr-event-list img')"):
        raise Failure("an event became markup")
    surface.send("/session/show/name", "show")


def the_plot_moves(browser, surface):
    browser.open("events")
    points = "(document.querySelector('mr-load-plot path.load').getAttribute('d').match(/[ML]/g) ?? []).length"
    before = browser.value(points)
    browser.until(f"{points} > arguments[0] + 2", before)
    first = browser.value("document.querySelector('mr-load-plot path.load').getAttribute('d')")
    browser.until("document.querySelector('mr-load-plot path.load').getAttribute('d') != arguments[0]", first)
    label = browser.value("document.querySelector('mr-load-plot svg').ariaLabel")
    if "%" not in label or "not known" in label:
        raise Failure(f"the plot says {label}")
    # The history stays while another subject is looked at.
    count = browser.value(points)
    browser.go("mixer")
    browser.go("events")
    if browser.value(points) < count:
        raise Failure("the plot began anew")
    return label


def an_alarm_is_a_lamp_and_can_be_silenced(browser, surface):
    browser.open("events")
    with urllib.request.urlopen(f"{browser.address}/health") as answer:
        rules = [rule for rule, node in json.load(answer)["CONTENTS"].items() if "on" in node.get("CONTENTS", {})]
    browser.until("document.querySelectorAll('mr-alarm:not([hidden])').length == arguments[0]", len(rules))
    browser.run("document.querySelector('mr-alarm[rule=quiet] button').click()")
    toggle = 'mr-switch[address="/health/quiet/silenced"]'
    browser.until("document.querySelector(arguments[0])", toggle)
    browser.run("document.querySelector(arguments[0]).click()", toggle)
    surface.until("/health/quiet/silenced", lambda value: value == 1)
    browser.until("document.querySelector('mr-alarm[rule=quiet] button').ariaLabel.includes('silenced')")
    surface.send("/health/quiet/silenced", 0)
    # An alarm that goes on lights its lamp, and the sentence says what to do.
    surface.send("/session/show/quiet", 1.0)
    surface.send("/session/show/stream/band/from", "Nobody:out_*")
    browser.until("document.querySelector('mr-alarm[rule=quiet] button').dataset.state == 'alarm'", seconds=20)
    sentence = browser.until("document.querySelector('.health-state.bad')?.textContent")
    surface.send("/session/show/quiet", 0.0)
    surface.send("/session/show/stream/band/from", "Band:out_*")
    browser.until("document.querySelector('mr-alarm[rule=quiet] button').dataset.state == 'heard'", seconds=20)
    return sentence


CHECKS = [
    a_refused_command_is_a_sentence, looking_is_no_error, events_are_filtered, events_are_only_text, the_plot_moves,
    an_alarm_is_a_lamp_and_can_be_silenced,
]
LAST = []
