"""Checks of the meters that outputs ask for."""

METERS = 'mr-output-meters[subject="/output/usb"]'
LABELS = "[...document.querySelectorAll(arguments[0] + ' .line span:first-child')].map((span) => span.textContent).join()"


def an_output_shows_the_meters_that_it_asks_for(browser, surface):
    browser.open()
    browser.until("document.querySelector(arguments[0])?.hidden", METERS)
    surface.send("/output/usb/meters", "ppm", "rms", "truePeak")
    browser.until(f"{LABELS} == 'PPM,RMS,TP'", METERS)
    browser.until("[...document.querySelectorAll(arguments[0] + ' .value')].every((value) => /^-[0-9]+[.][0-9]$/.test(value.textContent))", METERS)
    surface.send("/output/usb/meters", "rms")
    browser.until(f"{LABELS} == 'RMS'", METERS)
    surface.send("/output/usb/meters", "none")
    browser.until("document.querySelector(arguments[0]).hidden", METERS)


CHECKS = [an_output_shows_the_meters_that_it_asks_for]
LAST = []
