"""Checks of what the page does to channels: the section of an output, trim, width and polarity, and the pan and solo of a send."""

from browser import Failure

SHEETS = [
    ("output", "mixer", '[subject="/output/headphones"] .head', ".sheet mr-polarity button"),
    ("input", "mixer", '[subject="/input/usb"] .head', ".sheet mr-polarity button"),
]


def sheet_of(browser, subject, awaited):
    browser.open()
    browser.until("document.querySelector(arguments[0])", f'[subject="{subject}"] .head')
    browser.run("document.querySelector(arguments[0]).click()", f'[subject="{subject}"] .head')
    browser.until("document.querySelector(arguments[0])", awaited)


def switch(browser, surface, address):
    """Taps a switch twice: the router follows, and the switch shows what the router says."""
    selector = f'mr-switch[address="{address}"]'
    for value in (1, 0):
        browser.tap(selector)
        surface.until(address, lambda now: now == value)
        browser.until(f"document.querySelector(arguments[0]).ariaChecked == '{'true' if value else 'false'}'", selector)


def number(browser, surface, address, typed):
    """Types a number: the router has it. Another value over OSC is shown."""
    selector = f'mr-number[address="{address}"] input'
    browser.until("document.querySelector(arguments[0]) && !document.querySelector(arguments[0]).disabled", selector)
    usual = surface.get(address)[0]
    browser.run("const input = document.querySelector(arguments[0]); input.value = arguments[1]; input.dispatchEvent(new Event('change'))", selector, typed)
    surface.until(address, lambda now: abs(now - typed) < 0.001)
    surface.send(address, usual)
    browser.until(f"Math.abs(document.querySelector(arguments[0]).valueAsNumber - {usual}) < 0.001", selector)


def polarity(browser, surface, address):
    button = f'mr-polarity[address="{address}"] [data-channel="2"]'
    browser.until("document.querySelector(arguments[0])", button)
    browser.tap(button)
    surface.until(address, lambda now: str(now) == "2")
    browser.until("document.querySelector(arguments[0]).ariaPressed == 'true'", button)
    browser.tap(button)
    surface.until(address, lambda now: now == "none")


def the_section_of_an_output_is_in_its_sheet(browser, surface):
    sheet_of(browser, "/output/headphones", ".sheet mr-polarity button")
    for leaf in ("dim", "mono", "swap"):
        switch(browser, surface, f"/output/headphones/{leaf}")
    number(browser, surface, "/output/headphones/dim/level", -12)
    number(browser, surface, "/output/headphones/balance", 0.5)
    polarity(browser, surface, "/output/headphones/polarity")
    # A dimmed output says so on its strip.
    surface.send("/output/headphones/dim", 1)
    browser.until("""document.querySelector('[subject="/output/headphones"] .duck').textContent.includes('dim')""")
    surface.send("/output/headphones/dim", 0)


def both_channels_are_inverted_at_once(browser, surface):
    sheet_of(browser, "/output/headphones", ".sheet mr-polarity button")
    browser.until("!document.querySelector('.sheet mr-polarity button').disabled")
    browser.run("for (const button of document.querySelectorAll('.sheet mr-polarity button')) button.click()")
    browser.until("document.querySelectorAll('.sheet mr-polarity [aria-pressed=true]').length == 2")
    surface.send("/output/headphones/polarity", "none")
    surface.until("/output/headphones/polarity", lambda now: now == "none")


def trim_width_and_polarity_of_an_input_are_in_its_sheet(browser, surface):
    # Width is for two channels, so only the microphone's polarity would be there.
    sheet_of(browser, "/input/usb", ".sheet mr-polarity button")
    number(browser, surface, "/input/usb/trim", 6)
    polarity(browser, surface, "/input/usb/polarity")


def channels_of_a_stream_are_in_the_sheet_of_its_session(browser, surface):
    sheet_of(browser, "/session/show", "mr-streams details")
    browser.run("document.querySelector('mr-streams details').open = true")
    for leaf, value in (("pan", -0.5), ("width", 0.5)):
        number(browser, surface, f"/session/show/stream/band/{leaf}", value)
    polarity(browser, surface, "/session/show/stream/band/polarity")


def the_matrix_pans_and_solos_the_chosen_send(browser, surface):
    send = "/session/show/stream/band/to/headphones"
    surface.send(f"{send}/on", 1)
    browser.open("matrix")
    browser.until("document.querySelector('.cell')")
    output = browser.value("[...document.querySelectorAll('.heads .head')].findIndex((head) => head.textContent == 'headphones')")
    stream = browser.value("[...document.querySelectorAll('[role=rowheader]')].findIndex((head) => head.textContent.includes('band'))")
    if output < 0 or stream < 0:
        raise Failure(f"no crosspoint of the band and the headphones: {browser.texts('[role=rowheader]')} {browser.texts('.heads .head')}")
    browser.run("document.querySelector(arguments[0]).click()", f'.cell[data-at="{stream} {output}"]')
    browser.until("document.querySelector(arguments[0])", f'.editor mr-switch[address="{send}/solo"]')
    switch(browser, surface, f"{send}/solo")
    number(browser, surface, f"{send}/pan", -0.3)
    surface.send(f"{send}/on", 0)


CHECKS = [
    the_section_of_an_output_is_in_its_sheet, trim_width_and_polarity_of_an_input_are_in_its_sheet, channels_of_a_stream_are_in_the_sheet_of_its_session,
    the_matrix_pans_and_solos_the_chosen_send, both_channels_are_inverted_at_once,
]
LAST = []
