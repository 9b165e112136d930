"""Checks of the effects of a stream, an output, an input and a capture."""

from browser import Failure

CHAIN = "/session/show/stream/band"
EFFECT = f"{CHAIN}/effect"


def sheet(browser, subject, awaited, tag=""):
    head = f'{tag}[subject="{subject}"] .head'
    browser.open()
    browser.until("document.querySelector(arguments[0])", head)
    browser.run("document.querySelector(arguments[0]).click()", head)
    browser.until("document.querySelector(arguments[0])", awaited)


def opened(browser, number):
    """Opens the controls of an effect, and waits until they are there."""
    effect = f'mr-effect[address="{EFFECT}/{number}"]'
    browser.run("document.querySelector(arguments[0]).open = true", f"{effect} details")
    browser.until("document.querySelectorAll(arguments[0]).length > 5 && !document.querySelector('[data-waiting]')", f"{effect} mr-fader")


def a_stream_shows_its_effects_and_their_controls(browser, surface):
    surface.send(f"{CHAIN}/effects", "high-pass HPfreq=100", "compressor", "urn:example:missing")
    surface.until(f"{EFFECT}/2/state", lambda state: state == "working")
    surface.until(f"{EFFECT}/3/state", lambda state: state == "faulty")
    sheet(browser, "/session/show", f'mr-effect[address="{EFFECT}/3"]')
    browser.until("[...document.querySelectorAll('mr-effect > .head .name')].map((name) => name.textContent).join() == 'high-pass,compressor,urn:example:missing'")
    # One that does not work says what is heard, and why.
    browser.until("/^dry: .*not installed/.test(document.querySelector(arguments[0]).textContent)", f'mr-effect[address="{EFFECT}/3"] .note')
    on = f'mr-switch[address="{EFFECT}/1/on"]'
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'true'", on)
    browser.tap(on)
    surface.until(f"{EFFECT}/1/on", lambda value: value == 0)
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'false'", on)
    # A fader of a control reads as the plugin says, and goes by its ratios.
    opened(browser, 1)
    frequency = f"{EFFECT}/1/control/HPfreq"
    fader = f'mr-fader[address="{frequency}"]'
    browser.until("document.querySelector(arguments[0]).textContent == '100 Hz'", f'mr-effect-control[address="{frequency}"] .level')
    browser.run("document.querySelector(arguments[0]).focus()", fader)
    browser.key("End")
    surface.until(frequency, lambda value: value == 1250)
    browser.until("document.querySelector(arguments[0]).ariaValueText == '1250 Hz'", fader)
    surface.send(f"{frequency}/fader", 0.5)
    middle = surface.until(frequency, lambda value: value < 1250)
    if abs(middle - (5 * 1250) ** 0.5) > 0.5:
        raise Failure(f"the middle of 5 to 1250 Hz is {middle}")
    browser.tap(f'mr-button[address="{frequency}/reset"]')
    surface.until(frequency, lambda value: value == 80)
    browser.until("document.querySelector(arguments[0]).textContent == '80 Hz'", f'mr-effect-control[address="{frequency}"] .level')
    # A switch of the plugin is a switch, and a choice has its names.
    switch = f'mr-switch[address="{EFFECT}/1/control/HighPass"]'
    browser.tap(switch)
    surface.until(f"{EFFECT}/1/control/HighPass", lambda value: value == 0)
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'false'", switch)
    opened(browser, 2)
    choice = f'mr-choice[address="{EFFECT}/2/control/scm"] select'
    browser.until("[...document.querySelector(arguments[0]).options].map((option) => option.text).join() == 'Peak,RMS,LPF,SMA'", choice)
    browser.run("const select = document.querySelector(arguments[0]); select.value = '2'; select.dispatchEvent(new Event('change'))", choice)
    surface.until(f"{EFFECT}/2/control/scm", lambda value: value == 2)
    browser.until("document.querySelector(arguments[0]).value == '2'", choice)
    # The gain reduction has a meter.
    reduction = f'mr-effect-meter[address="{EFFECT}/2/meter/rlm"]'
    browser.until("/^-?[0-9.]+ dB$/.test(document.querySelector(arguments[0]).ariaValueText)", reduction)
    surface.send(f"{CHAIN}/effects", "none")
    browser.until("document.querySelector(arguments[0]).hidden", f'mr-chain[subject="{CHAIN}"]')


def ports_and_captures_show_their_effects(browser, surface):
    surface.send("/session/show/capture/channels", 1)
    places = [("/output/headphones", "/output/headphones"), ("/input/usb", "/input/usb"), ("/session/show", "/session/show/capture")]
    for _, place in places:
        surface.send(f"{place}/effects", "limiter")
        surface.until(f"{place}/effect/1/state", lambda state: state == "working")
    for strip, place in places:
        tag = "mr-capture-strip" if place.endswith("capture") else "mr-port-strip"
        sheet(browser, strip, f'mr-chain[subject="{place}"] mr-effect', tag)
    browser.run("document.querySelector('dialog').close()")


def a_bypass_is_seen_above_the_mixer(browser, surface):
    surface.send("/output/headphones/effects", "limiter")
    sheet(browser, "/output/headphones", 'mr-chain[subject="/output/headphones"] mr-effect')
    browser.tap('.sheet mr-switch[address="/effects/bypass"]')
    surface.until("/effects/bypass", lambda value: value == 1)
    browser.until("document.querySelector('.sheet mr-effect .note').textContent == 'bypassed'")
    browser.run("document.querySelector('dialog').close()")
    end = 'mr-monitoring mr-switch[address="/effects/bypass"]'
    browser.until("document.querySelector(arguments[0])?.offsetHeight >= 44", end)
    browser.tap(end)
    surface.until("/effects/bypass", lambda value: value == 0)
    browser.until("!document.querySelector('mr-monitoring').offsetHeight")
    # What an output may not be heard without.
    surface.send("/output/headphones/effects", "urn:example:missing")
    sheet(browser, "/output/headphones", 'mr-effect[data-state="faulty"]')
    fallback = 'mr-choice[address="/output/headphones/effects/fallback"] select'
    browser.run("const select = document.querySelector(arguments[0]); select.value = 'mute'; select.dispatchEvent(new Event('change'))", fallback)
    surface.until("/output/headphones/effects/fallback", lambda value: value == "mute")
    browser.until("/^silence: /.test(document.querySelector('.sheet mr-effect .note').textContent)")
    surface.send("/output/headphones/effects/fallback", "dry")
    # The looks of a chain are looked at, too.
    surface.send("/output/headphones/effects", "eq", "limiter")
    surface.until("/output/headphones/effect/1/state", lambda state: state == "working")


def a_session_of_many_streams_shows_them_all(browser, surface):
    """The router allows each page 64 subscriptions."""
    surface.send("/session/create", "many", "multiRoute")
    for index in range(24):
        surface.send("/session/many/stream/create", f"stream{index}", 1)
    surface.get("/session/many/stream/stream23/fader")
    try:
        sheet(browser, "/session/many", "mr-streams .card:nth-of-type(24)")
        browser.until("!document.querySelector('dialog [data-waiting]')")
        if browser.texts(".messages p"):
            raise Failure(f"the page says {browser.texts('.messages p')}")
    finally:
        surface.send("/session/remove", "many")


CHECKS = [
    a_stream_shows_its_effects_and_their_controls, ports_and_captures_show_their_effects, a_bypass_is_seen_above_the_mixer,
    a_session_of_many_streams_shows_them_all,
]
LAST = []
SHEETS = [("effects", "mixer", '[subject="/output/headphones"] .head', "mr-effect")]
