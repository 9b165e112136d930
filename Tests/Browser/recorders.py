"""Checks of the recorders: transport, time, level, room on the disk, and the files to download."""

import os
import urllib.error
import urllib.request

from browser import Failure

RECORDER = f"tape-{os.getpid()}"
PANEL = f'mr-recorder[recorder="{RECORDER}"]'
VIEWS = {"recorders": "mr-recordings :is(li, .none:not([hidden]))"}
SHEETS = []


def address(leaf):
    return f"/recorder/{RECORDER}/{leaf}"


def button(leaf):
    return f'{PANEL} mr-button[address="{address(leaf)}"]'


def opened(browser, surface):
    if RECORDER not in [row[0] for row in surface.rows("/recorder/list")]:
        surface.send("/recorder/create", RECORDER, "session:show")
    browser.open("recorders")
    browser.until("document.querySelector(arguments[0])", PANEL)


def recorded(browser, surface):
    """A finished recording of the session; answers the name of its file."""
    opened(browser, surface)
    browser.tap(button("record"))
    surface.until(address("recording"), lambda value: value == 1)
    browser.until("document.querySelector(arguments[0]).dataset.state == 'recording'", PANEL)
    browser.until("document.querySelector(arguments[0] + ' .time').textContent != '0:00'", PANEL)
    browser.tap(button("stop"))
    surface.until(address("state"), lambda value: value in ("stopped", "prepared"))
    browser.until("document.querySelector(arguments[0]).dataset.state != 'recording'", PANEL)
    return surface.get(address("file/now"))[0]


def a_recorder_shows_time_level_and_file(browser, surface):
    opened(browser, surface)
    browser.tap(button("record"))
    surface.until(address("time"), lambda value: value > 1)
    browser.until("document.querySelector(arguments[0] + ' .time').textContent != '0:00'", PANEL)
    # The band plays a tone at -20 dBFS.
    browser.until("Number(document.querySelector(arguments[0] + ' [role=meter]').ariaValueNow) > -40", PANEL)
    name = surface.get(address("file/now"))[0]
    browser.until("[...document.querySelectorAll(arguments[0] + ' .facts bdi')].map((text) => text.textContent).join() == arguments[1]",
                  PANEL, f"session:show,{name}")
    browser.tap(button("pause"))
    surface.until(address("state"), lambda value: value == "paused")
    browser.until("document.querySelector(arguments[0] + ' .pause').classList.contains('on')", PANEL)
    browser.tap(button("stop"))
    surface.until(address("state"), lambda value: value in ("stopped", "prepared"))
    free = surface.until("/health/disk/free", lambda value: value > 0)
    text = browser.until("/^[0-9.]+ [kMGT]B free/.test(document.querySelector('mr-recordings .room').textContent)"
                         " && document.querySelector('mr-recordings .room').textContent")
    return f"{text} of {free:.0f} bytes"


def a_recording_is_downloaded_and_deleted(browser, surface):
    name = recorded(browser, surface)
    link = f'mr-recordings a[download="{name}"]'
    href = browser.until("document.querySelector(arguments[0])?.href", link)
    answer = urllib.request.urlopen(href)
    body = answer.read()
    if not answer.headers["Content-Disposition"].startswith("attachment; ") or not body.startswith(b"RIFF"):
        raise Failure(f"{href} gives {answer.headers['Content-Disposition']} and {body[:4]}")
    fetched = browser.driver.execute_async_script(
        "fetch(arguments[0]).then((answer) => answer.arrayBuffer()).then((bytes) => arguments[1](bytes.byteLength), (error) => arguments[1](String(error)))", href)
    if fetched != len(body):
        raise Failure(f"the page gets {fetched} of {len(body)} bytes")
    # To delete it, the button must be held.
    erase = f'mr-recordings mr-button[aria-label^="Delete {name}"]'
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", erase)
    browser.touch("touchStart", (1, *browser.middle(erase)))
    browser.until("!document.querySelector(arguments[0])", link)
    browser.touch("touchEnd")
    try:
        urllib.request.urlopen(href)
        raise Failure("a deleted recording is still served")
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise Failure(f"a deleted recording answers {error.code}") from error
    return f"{len(body)} bytes"


def a_list_that_is_read_again_keeps_its_rows(browser, surface):
    name = recorded(browser, surface)
    erase = f'mr-recordings mr-button[aria-label^="Delete {name}"]'
    browser.until("document.querySelector(arguments[0])", erase)
    browser.run("document.querySelector(arguments[0]).focus(); window.erase = document.activeElement", erase)
    count = browser.value("document.querySelectorAll('mr-recordings li').length")
    surface.send(address("record"))
    browser.until("document.querySelectorAll('mr-recordings li').length > arguments[0]", count)
    surface.send(address("stop"))
    if not browser.value("window.erase.isConnected && document.activeElement == window.erase"):
        raise Failure("the list was drawn anew under the focus")


def a_source_is_chosen_for_a_new_recorder(browser, surface):
    browser.open("recorders")
    name = f"made-{os.getpid()}"
    browser.until("[...document.querySelector('mr-created select').options].some((option) => option.value == 'input:mic')")
    browser.run("const made = document.querySelector('mr-created'); made.querySelector('input').value = arguments[0];"
                " made.querySelector('select').value = 'input:mic'; made.querySelector('mr-button').click()", name)
    browser.until("document.querySelector(`mr-recorder[recorder='${arguments[0]}'] .facts bdi`)?.textContent == 'input:mic'", name)
    surface.send("/recorder/remove", name)
    browser.until("!document.querySelector(`mr-recorder[recorder='${arguments[0]}']`)", name)


CHECKS = [
    a_recorder_shows_time_level_and_file, a_recording_is_downloaded_and_deleted, a_list_that_is_read_again_keeps_its_rows,
    a_source_is_chosen_for_a_new_recorder,
]
LAST = []
