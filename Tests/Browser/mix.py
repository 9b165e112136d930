"""Checks of a mix of one's own in a real browser: mix.py HTTP-ADDRESS OSC-PORT FOLDER

The router has the preset usb-and-headphones; this machine is admin. Screenshots go into FOLDER. Each check prints a line; the end is 1 if one failed."""

import itertools
import json
import re
import time
import urllib.request

from axe_core_python.selenium import Axe
from pythonosc.osc_packet import OscPacket

from browser import Failure, run_alone

SEND = "/session/show/stream/band/to/headphones"
# Answers to earlier requests may still wait in the socket.
numbers = itertools.count(1)


def ask(surface, address, *arguments):
    """The answers of one request, each as its arguments."""
    number = next(numbers)
    surface.send("/request", number, address, *arguments)
    surface.socket.settimeout(10)
    answers = []
    while True:
        for timed in OscPacket(surface.socket.recv(70_000)).messages:
            message = timed.message
            if message.address == address:
                answers.append(message.params)
            elif message.address == "/response" and message.params[0] == number:
                if message.params[1] != 0:
                    raise Failure(f"{address}: {message.params}")
                return answers or [message.params[3:]]


def open_mix(browser, surface, name):
    token = ask(surface, "/token/make", "headphones", 1.0, name)[0][5]
    browser.driver.get("about:blank")
    browser.driver.get(f"{browser.address}/mix/headphones#{token}")
    browser.ready()
    browser.until("document.querySelectorAll('.send').length > 0")


def a_phone_moves_its_own_mix(browser, surface):
    surface.send("/session/create", "spare", "multiRoute")
    surface.send("/session/spare/stream/create", "one", 1)
    surface.get("/session/spare/stream/one/fader")
    open_mix(browser, surface, "one")
    if browser.value("document.body.dataset.right") != "mix":
        raise Failure(f"the right is {browser.value('document.body.dataset.right')}")
    surface.send(f"{SEND}/on", 1)
    surface.send(f"{SEND}/fader", 0.5)
    fader = f'mr-fader[address="{SEND}"]'
    browser.until("document.querySelector(arguments[0]).ariaDisabled == 'false'", fader)
    browser.until("parseFloat(document.querySelector(arguments[0]).ariaValueNow) > -40", fader)
    browser.run("document.querySelector(arguments[0]).focus()", fader)
    browser.key("Home")
    surface.until(f"{SEND}/fader", lambda value: value == 0)
    # A send that is gone is seen, though nothing tells this client of it.
    spare = "/session/spare/stream/one/to/headphones"
    fader = f'mr-fader[address="{spare}"]'
    surface.send(f"{spare}/fader", 0.5)
    browser.until("document.querySelector(arguments[0])?.ariaDisabled == 'false'", fader)
    surface.send("/session/spare/stream/remove", "one")
    surface.send("/session/spare/stream/create", "one", 1)
    browser.until("document.querySelector(arguments[0])?.ariaDisabled == 'true'", fader)
    surface.send("/session/remove", "spare")


def more_of_me_raises_mine_and_then_lowers_the_others(browser, surface):
    surface.send(f"{SEND}/fader", 0.5)
    surface.send("/session/show/stream/click/to/headphones/on", 1)
    surface.send("/session/show/stream/click/to/headphones/fader", 0.5)
    browser.run("const choice = document.querySelector('.me select'); choice.value = 'show/band'; choice.dispatchEvent(new Event('change'))")
    surface.until(f"{SEND}/fader", lambda value: abs(value - 0.5) < 0.001)
    browser.until("!document.querySelector('.more').disabled")
    browser.until(f"""Math.abs(parseFloat(document.querySelector('mr-fader[address="{SEND}"]').ariaValueNow) + 10) < 30""")
    browser.run("document.querySelector('.more').click()")
    surface.until(f"{SEND}/fader", lambda value: abs(value - 0.52) < 0.003)
    surface.send(f"{SEND}/fader", 1.0)
    browser.until(f"""parseFloat(document.querySelector('mr-fader[address="{SEND}"]').ariaValueNow) > 9.9""")
    browser.run("document.querySelector('.more').click()")
    surface.until("/session/show/stream/click/to/headphones/fader", lambda value: abs(value - 0.48) < 0.003)
    # The highest total of the output may end it earlier than the fader.
    surface.send("/output/headphones/maxTotal", -6.0)
    surface.until(f"{SEND}/gain", lambda value: value <= -5.9)
    browser.until(f"""parseFloat(document.querySelector('mr-fader[address="{SEND}"]').ariaValueNow) < -5.9""")
    before = surface.get("/session/show/stream/click/to/headphones/fader")[0]
    browser.run("document.querySelector('.more').click()")
    surface.until("/session/show/stream/click/to/headphones/fader", lambda value: abs(value - before + 0.02) < 0.003)
    surface.send("/output/headphones/maxTotal", "off")


def a_send_is_panned_and_heard_alone(browser, surface):
    open_mix(browser, surface, "two")
    surface.send(f"{SEND}/on", 1)
    solo = f'mr-switch[address="{SEND}/solo"]'
    browser.until("document.querySelector(arguments[0])?.ariaDisabled == 'false'", solo)
    browser.tap(solo)
    surface.until(f"{SEND}/solo", lambda value: value == 1)
    browser.until("document.querySelector(arguments[0]).ariaChecked == 'true'", solo)
    browser.run("document.querySelector(arguments[0]).click()", f'mr-number[address="{SEND}/pan"] button:last-of-type')
    surface.until(f"{SEND}/pan", lambda value: abs(value - 0.1) < 0.001)
    # A phone that goes brings the whole mix back.
    browser.driver.get("about:blank")
    surface.until(f"{SEND}/solo", lambda value: value == 0)


# What a mix sets, what it reads, and what only tells the router who speaks, as docs/develop/law/osc.md has it.
SETS = re.compile(r"/(session/[^/]+/stream/[^/]+/to/headphones/(on|gain|fader|pan|solo)|output/headphones/(gain|fader))(/|$)")
READS = re.compile(r"/session/[^/]+/(name|color|category|stream/list|stream/[^/]+/to/headphones/.*)(/.*)?$|/session/list$|/output/headphones/"
                   r"|/meter/(stream/.*|output/headphones(/.*)?)(?<!reset)$|/system/panic$")
SERVES = re.compile(r"/(hello|token|bye|ping|request|subscribe|unsubscribe|snapshot|resync|sync|get|client/.*)$")
# Asks from within the page, some at a time, and answers what was not denied.
TRY = """
const [asked, done] = arguments;
import('/core/router.js').then(async ({ router }) => {
  const passed = [];
  for (let start = 0; start < asked.length; start += 200) {
    await Promise.all(asked.slice(start, start + 200).map((message) => router.ask(...message).then(
      () => passed.push(message), ({ message: reason }) => / is no part of the mix of | can only be read$/.test(reason) || passed.push([...message, reason]))));
  }
  done(passed);
});"""


def leaves(node):
    if "CONTENTS" not in node:
        return [node["FULL_PATH"]]
    return [path for child in node["CONTENTS"].values() for path in leaves(child)]


def every_other_address_is_denied(browser, surface):
    with urllib.request.urlopen(f"{browser.address}/") as answer:
        addresses = leaves(json.load(answer))
    open_mix(browser, surface, "curious")
    browser.driver.set_script_timeout(60)
    others = [address for address in addresses if not SERVES.match(address)]
    # A list takes no value.
    asked = [[address, 1] for address in others if not SETS.match(address) and not (READS.match(address) and address.endswith("/list"))]
    asked += [["/get", address] for address in others if not READS.match(address)]
    if len(asked) < 2_000 or len(asked) == 2 * len(others):
        raise Failure(f"{len(asked)} messages of {len(others)} addresses are not what a mix may not send")
    passed = browser.driver.execute_async_script(TRY, asked)
    if passed:
        raise Failure(f"{len(passed)} of {len(asked)} were not denied: {passed[:10]}")


def a_withdrawn_link_ends_at_once(browser, surface):
    ask(surface, "/token/withdraw", "one")
    browser.until("document.body.dataset.right == 'none'", seconds=1)
    browser.until("document.querySelector('.messages').textContent.includes('has ended')")
    if browser.value("document.querySelector('.more').disabled") is not True:
        raise Failure("the button does not look dead")
    # It does not come back as what its host may do, such as after a look at another page.
    browser.run("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
    later = browser.value("performance.now() + 1000")
    browser.until("performance.now() > arguments[0]", later)
    if browser.value("document.body.dataset.right") != "none" or browser.value("document.querySelector('.more').disabled") is not True:
        raise Failure(f"after a new connection the right is {browser.value('document.body.dataset.right')}")


def nothing_is_wrong_for_axe_and_nothing_overflows(browser, surface, folder):
    for name, (width, height) in {"phone": (360, 640), "tablet": (1024, 768)}.items():
        browser.size(width, height)
        for scheme in ("dark", "light"):
            browser.look(scheme)
            open_mix(browser, surface, f"{name} {scheme}")
            found = Axe().run(browser.driver)["violations"]
            if found:
                raise Failure("; ".join(f"{it['id']}: {it['nodes'][0]['html'][:120]}" for it in found))
            if browser.value("document.documentElement.scrollWidth") > width:
                raise Failure(f"wider than {width}")
            small = browser.value("[...document.querySelectorAll('mr-mix :is(button, select, mr-switch)')].filter((it) => it.getBoundingClientRect().height < 44).length")
            if small:
                raise Failure(f"{small} controls have less than 44 px")
            browser.driver.save_screenshot(f"{folder}/mix-{name}-{scheme}.png")


def an_administrator_makes_a_link_with_its_code(browser, surface, folder):
    browser.size(1024, 768)
    browser.open("mixer")
    browser.run("""document.querySelector('mr-port-strip[subject="/output/headphones"] .head').click()""")
    browser.until("document.querySelector('mr-mix-links form')")
    browser.run("document.querySelector('mr-mix-links form button').click()")
    link = browser.until("document.querySelector('mr-mix-links a')?.href")
    browser.until("document.querySelector('mr-mix-links svg path')?.getAttribute('d').length > 500")
    if "/mix/headphones#" not in link:
        raise Failure(link)
    browser.driver.save_screenshot(f"{folder}/mix-link.png")
    before = len(ask(surface, "/token/list"))
    browser.until("document.querySelectorAll('mr-mix-links li').length > 0")
    browser.run("document.querySelector('mr-mix-links li button').click()")
    end = time.monotonic() + 10
    while len(ask(surface, "/token/list")) >= before:
        if time.monotonic() > end:
            raise Failure("the token was not withdrawn")


if __name__ == "__main__":
    run_alone((a_phone_moves_its_own_mix, more_of_me_raises_mine_and_then_lowers_the_others, a_withdrawn_link_ends_at_once,
              a_send_is_panned_and_heard_alone, nothing_is_wrong_for_axe_and_nothing_overflows, an_administrator_makes_a_link_with_its_code,
              every_other_address_is_denied), 360, 640)
