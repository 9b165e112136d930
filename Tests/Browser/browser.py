"""A browser without a screen, and a surface that speaks OSC over UDP: what the checks of the page need."""

import socket
import sys
import time

from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.osc_packet import OscPacket
from selenium import webdriver
from selenium.webdriver.chrome.service import Service


class Failure(Exception):
    """What a check found wrong, as a sentence."""


class Browser:
    """Chromium with one page."""

    def __init__(self, address, more=()):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        # The sandbox needs rights that a container does not have; a machine without a screen has no graphics processor.
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--touch-events=enabled", *more]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.address = address

    def command(self, name, **arguments):
        """A command of the browser's own protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def size(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 700)

    def look(self, scheme, **more):
        """Colours as the system would ask for them: `dark` or `light`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        features += [{"name": name.replace("_", "-"), "value": value} for name, value in more.items()]
        self.command("Emulation.setEmulatedMedia", features=features)

    def open(self, subject="mixer"):
        # A new page, not only another place in the present one.
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}/#/{subject}")
        self.ready()

    def go(self, subject):
        self.run("location.hash = `#/${arguments[0]}`", subject)
        self.ready()

    def ready(self):
        """Waits until the page shows the router's values."""
        self.until("document.body?.dataset.state == 'live' && !document.querySelector('[data-waiting]')"
                   " && document.querySelector('.strip, .cell, mr-row, .view, .empty')")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def value(self, expression, *arguments):
        return self.run(f"return {expression}", *arguments)

    def until(self, expression, *arguments, seconds=15):
        """Waits until an expression is true, and answers its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.value(expression, *arguments)
            if value:
                return value
            time.sleep(0.01)
        raise Failure(f"never true: {expression} {arguments}; the browser's log: {self.log()}")

    def log(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def touch(self, kind, *points):
        """Fingers: `touchStart`, `touchMove` or `touchEnd` with (id, x, y) of those on the glass."""
        self.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"id": i, "x": x, "y": y} for i, x, y in points])

    def key(self, key, shift=False):
        self.press(key, shift)
        self.lift(key, shift)

    def press(self, key, shift=False):
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, modifiers=8 if shift else 0,
                     windowsVirtualKeyCode={"0": 48, " ": 32}.get(key, 0))

    def lift(self, key, shift=False):
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, modifiers=8 if shift else 0,
                     windowsVirtualKeyCode={"0": 48, " ": 32}.get(key, 0))

    def tap(self, selector):
        """A short touch."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector)
        self.touch("touchStart", (1, *self.middle(selector)))
        self.touch("touchEnd")

    def texts(self, selector):
        return self.value("[...document.querySelectorAll(arguments[0])].map((element) => element.textContent)", selector)

    def middle(self, selector):
        box = self.value("document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def freeze(self):
        """Puts the page to sleep behind another tab, as browsers do. Returns what wakes it and looks at it."""
        page = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        other = self.driver.current_window_handle
        self.driver.switch_to.window(page)
        self.command("Page.setWebLifecycleState", state="frozen")

        def wake():
            self.command("Page.setWebLifecycleState", state="active")
            self.driver.switch_to.window(other)
            self.driver.close()
            self.driver.switch_to.window(page)

        return wake

    def close(self):
        self.driver.quit()


class Surface:
    """A surface of python-osc."""

    def __init__(self, port, host="127.0.0.1"):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((host, port))

    def send(self, address, *arguments):
        builder = OscMessageBuilder(address)
        for argument in arguments:
            builder.add_arg(argument)
        self.socket.send(builder.build().dgram)

    def get(self, address, seconds=5):
        """The arguments of an address."""
        self.send("/get", address)
        self.socket.settimeout(seconds)
        while True:
            for timed in OscPacket(self.socket.recv(70_000)).messages:
                if timed.message.address == address:
                    return timed.message.params

    def rows(self, address, *arguments, seconds=5):
        """The rows of a list, without index and total."""
        self.send(address, *arguments)
        self.socket.settimeout(seconds)
        rows = []
        while True:
            for timed in OscPacket(self.socket.recv(70_000)).messages:
                if timed.message.address != address:
                    continue
                index, total, *row = timed.message.params
                if total == 0:
                    return []
                rows.append(row)
                if index + 1 == total:
                    return rows

    def until(self, address, holds, seconds=10):
        """Waits until the first argument of an address is as `holds` says."""
        end = time.monotonic() + seconds
        while True:
            value = self.get(address)[0]
            if holds(value):
                return value
            if time.monotonic() > end:
                raise Failure(f"{address} is still {value}")


def run_alone(checks, width, height):
    """Runs checks that need a router of their own: FILE HTTP-ADDRESS OSC-PORT FOLDER. The end is 1 if one failed."""
    address, port, folder = sys.argv[1:4]
    browser, surface, failed = Browser(address), Surface(int(port)), 0
    try:
        browser.size(width, height)
        for check in checks:
            try:
                check(browser, surface, folder) if check.__code__.co_argcount > 2 else check(browser, surface)
                print(f"ok {check.__name__}", flush=True)
            except Failure as failure:
                failed = 1
                print(f"failed {check.__name__}: {failure}", flush=True)
    finally:
        browser.close()
    sys.exit(failed)
