"""Checks of the meters that outputs ask for."""

METERS = 'mr-output-meters[subject="/output/headphones"]'
LABELS = "[...document.querySelectorAll(arguments[0] + ' .line span:first-child')].map((span) => span.textContent).join()"


def an_output_shows_the_meters_that_it_asks_for(browser, surface):
    browser.open()
    browser.until("document.querySelector(arguments[0])?.hidden", METERS)
    surface.send("/output/headphones/meters", "ppm", "loudness")
    browser.until(f"{LABELS} == 'PPM,M,S,I'", METERS)
    # Silence, or a number.
    browser.until("[...document.querySelectorAll(arguments[0] + ' .value')].every((value) => /^(–|-?[0-9]+[.][0-9])$/.test(value.textContent))", METERS)
    surface.send("/output/headphones/meters", "correlation")
    browser.until(f"{LABELS} == 'r'", METERS)
    surface.send("/output/headphones/meters", "none")
    browser.until("document.querySelector(arguments[0]).hidden", METERS)


CHECKS = [an_output_shows_the_meters_that_it_asks_for]
LAST = []
