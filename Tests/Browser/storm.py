"""What a storm of faders costs a browser: storm.py HTTP-ADDRESS OSC-PORT

64 sessions are made, and their faders move thirty times a second each, in a browser whose processor is throttled four times. The main thread's
time on the processor is counted, which a busy machine does not change. The end is 1 if it is more than a tenth of a core."""

import sys
import threading
import time

from browser import Browser, Failure, Surface

FADERS = 64
RATE = 30
SECONDS = 10
MOST = 0.1


def make(surface, count=FADERS):
    """Makes the sessions, and answers when the last one is there."""
    for index in range(count):
        surface.send("/session/create", f"storm{index}")
        surface.get(f"/session/storm{index}/fader")


def blow(surface, ended, sent, count=FADERS):
    """Moves all faders until `ended` is set; `sent` counts the turns."""
    began = time.monotonic()
    while not ended.is_set():
        turn = len(sent)
        for index in range(count):
            surface.send(f"/session/storm{index}/fader", 0.25 + 0.5 * ((turn * 7 + index * 13) % 200) / 200)
        sent.append(time.monotonic())
        ended.wait(max(0, began + len(sent) / RATE - time.monotonic()))


def measure(browser, surface, width, height):
    browser.size(width, height)
    browser.open()
    browser.until(f"document.querySelectorAll('mr-session-strip').length > {FADERS}")
    browser.command("Emulation.setCPUThrottlingRate", rate=4)
    ended, sent = threading.Event(), []
    wind = threading.Thread(target=blow, args=(surface, ended, sent))
    wind.start()
    try:
        time.sleep(2)
        browser.run("""
            document.querySelector('[subject="/session/storm0"]').scrollIntoView();
            window.changes = 0;
            new MutationObserver((all) => (window.changes += all.length)).observe(
              document.querySelector('mr-fader[address="/session/storm0"] .travel'), { attributes: true });""")
        before, turns = metrics(browser), len(sent)
        time.sleep(SECONDS)
        after = metrics(browser)
    finally:
        ended.set()
        wind.join()
        browser.command("Emulation.setCPUThrottlingRate", rate=1)
    wall = after["Timestamp"] - before["Timestamp"]
    parts = {name: (after[name] - before[name]) / wall for name in ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")}
    rate = (len(sent) - turns) / SECONDS
    changes = browser.value("window.changes") / wall
    if rate < 0.8 * RATE:
        raise Failure(f"the storm had only {rate:.0f} turns a second: this machine is too busy to measure")
    if changes < 1:
        raise Failure(f"a fader in sight was drawn only {changes:.0f} times a second")
    return parts, changes


def metrics(browser):
    return {metric["name"]: metric["value"] for metric in browser.command("Performance.getMetrics")["metrics"]}


def main():
    address, port = sys.argv[1:]
    browser, surface = Browser(address), Surface(int(port))
    failed = 0
    try:
        make(surface)
        browser.command("Performance.enable", timeDomain="threadTicks")
        for width, height in ((1024, 768), (3840, 2160)):
            parts, changes = measure(browser, surface, width, height)
            told = ", ".join(f"{name} {100 * part:.1f} %" for name, part in parts.items())
            isGood = parts["TaskDuration"] <= MOST
            failed += not isGood
            print(f"{'ok' if isGood else 'failed'} {width} x {height}: {told}; a fader was drawn {changes:.0f} times a second", flush=True)
    except Failure as failure:
        failed += 1
        print(f"failed: {failure}", flush=True)
    browser.close()
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
