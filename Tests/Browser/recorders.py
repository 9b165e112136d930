"""Checks of the recorders: record, pause, stop; time, level, and room on the disk."""

RECORDER = "check"
CARD = f'mr-recorder[recorder="{RECORDER}"]'
VIEWS = {"recorders": "mr-recorders .room"}


def a_recorder_records_and_the_page_shows_it(browser, surface):
    if RECORDER not in [row[0] for row in surface.rows("/recorder/list")]:
        surface.send("/recorder/create", RECORDER, "output:usb")
    browser.open("recorders")
    browser.until("document.querySelector('mr-recorders .room').textContent.includes('GiB free')")
    browser.until("document.querySelector(arguments[0])", CARD)
    state = f"/recorder/{RECORDER}/state"
    browser.tap(f"{CARD} .record")
    surface.until(state, lambda value: value == "recording")
    browser.until("document.querySelector(arguments[0] + ' .state').textContent == 'recording'", CARD)
    browser.until("document.querySelector(arguments[0] + ' .time').textContent == '0:02'", CARD)
    browser.until("parseFloat(document.querySelector(arguments[0] + ' mr-peaks').ariaValueNow) > -60", CARD)
    browser.tap(f"{CARD} .stop")
    surface.until(state, lambda value: value == "stopped")
    file = surface.get(f"/recorder/{RECORDER}/file/now")[0]
    browser.until("[...document.querySelectorAll(arguments[0] + ' bdi')].some((element) => element.textContent == arguments[1])", CARD, file)
    surface.send(f"/recorder/{RECORDER}/delete", file)
    return file


CHECKS = [a_recorder_records_and_the_page_shows_it]
LAST = []
