"""Checks of rights on the page at an address of the network, over plain HTTP: access.py HTTP-ADDRESS OSC-PORT FOLDER

The address is one of the network, whose hosts may view; the passcode 4711 gives control. The end is 1 if a check failed."""

from axe_core_python.selenium import Axe

from browser import Failure, run_alone

FADER = 'mr-fader[address="/output/usb"]'


def a_viewer_sees_and_cannot_touch(browser, surface, folder):
    browser.open()
    if browser.value("isSecureContext"):
        raise Failure("this is no address of the network")
    if browser.value("document.querySelector(arguments[0]).ariaDisabled", FADER) != "true":
        raise Failure("the fader looks as if it moved")
    if browser.value("document.querySelector('header button.right').textContent") != "view only":
        raise Failure("the page does not say that it only views")
    before = surface.get("/output/usb/fader")
    browser.run("document.querySelector(arguments[0]).focus()", FADER)
    browser.key("ArrowUp")
    browser.driver.save_screenshot(f"{folder}/view-only.png")
    if surface.get("/output/usb/fader") != before:
        raise Failure("the fader moved")


def a_wrong_passcode_changes_nothing(browser, surface, folder):
    enter(browser, "1234")
    browser.until("document.querySelector('.messages').textContent.includes('passcode is wrong')")
    if browser.value("document.body.dataset.right") != "view":
        raise Failure("the right has changed")


def a_passcode_raises_the_right_and_is_stored_nowhere(browser, surface, folder):
    enter(browser, "4711", folder)
    browser.until("document.body.dataset.right == 'control'")
    browser.until("document.querySelector(arguments[0]).ariaDisabled == 'false'", FADER)
    if "4711" in browser.value("JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie + location.href"):
        raise Failure("the passcode is stored")


def enter(browser, passcode, folder=None):
    browser.run("document.querySelector('header button.right').click()")
    browser.until("document.querySelector('dialog input[type=password]')")
    if folder:
        found = Axe().run(browser.driver)["violations"]
        if found:
            raise Failure("; ".join(f"{it['id']}: {it['nodes'][0]['html'][:120]}" for it in found))
        browser.driver.save_screenshot(f"{folder}/passcode.png")
    browser.run("document.querySelector('dialog input[type=password]').value = arguments[0]; document.querySelector('dialog form button').click()", passcode)


def nothing_fails_that_only_secure_pages_have(browser, surface, folder):
    browser.open()
    if browser.log():
        raise Failure(str(browser.log()))


def the_page_says_once_how_the_screen_stays_on(browser, surface):
    said = "document.querySelector('.messages').textContent.includes('The screen goes dark')"
    browser.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    browser.run("localStorage.clear()")
    browser.open()
    browser.until(said)
    browser.open()
    if browser.value(said):
        raise Failure("the hint comes again")


def the_page_takes_the_whole_screen(browser, surface):
    browser.open()
    browser.run("document.querySelector('.looks').click()")
    browser.until("document.querySelector('dialog .whole')")
    browser.tap("dialog .whole")
    browser.until("document.fullscreenElement == document.documentElement")
    browser.tap("dialog .whole")
    browser.until("!document.fullscreenElement")


if __name__ == "__main__":
    run_alone((a_viewer_sees_and_cannot_touch, a_wrong_passcode_changes_nothing,
              a_passcode_raises_the_right_and_is_stored_nowhere, nothing_fails_that_only_secure_pages_have,
              the_page_says_once_how_the_screen_stays_on, the_page_takes_the_whole_screen), 1024, 768)
