"""Checks of the switch between routers: routers.py HTTP-ADDRESS OSC-PORT FOLDER

The router is named stage; mDNS finds another, monitors, and both have pages. The end is 1 if a check failed."""

from axe_core_python.selenium import Axe

from browser import Failure, run_alone

COLOUR = "getComputedStyle(document.body).borderTopColor"


def a_switch_leads_to_the_other_router(browser, surface, folder):
    browser.open()
    browser.until("document.querySelector('h1').textContent == 'stage'")
    colour = browser.value(COLOUR)
    browser.run("document.querySelector('h1 button').click()")
    browser.until("document.querySelectorAll('.routers li').length == 2")
    names = browser.texts(".routers bdi")
    if names != ["monitors", "stage"] or browser.texts(".routers [aria-current]") != ["stage"]:
        raise Failure(f"the routers are {names}")
    found = Axe().run(browser.driver)["violations"]
    if found:
        raise Failure("; ".join(f"{it['id']}: {it['nodes'][0]['html'][:120]}" for it in found))
    browser.driver.save_screenshot(f"{folder}/routers.png")
    browser.run("document.querySelector('.routers a:not([aria-current])').click()")
    browser.until("document.querySelector('h1')?.textContent == 'monitors'")
    browser.ready()
    if browser.value(COLOUR) == colour:
        raise Failure("both routers have one colour")


if __name__ == "__main__":
    run_alone((a_switch_leads_to_the_other_router,), 1024, 768)
