"""Checks of the mixer and the matrix."""

import time

from browser import Failure

FADER = 'mr-fader[address="/session/show"]'
OTHER = 'mr-fader[address="/output/usb"]'


def near(expected, tolerance=0.003):
    return lambda value: abs(value - expected) < tolerance


def place(browser, selector):
    """Where a fader stands, from 0 to 1, as it is drawn."""
    return browser.value(
        "-parseFloat(/-?[\\d.]+(?=%)/.exec(document.querySelector(arguments[0]).querySelector('.travel').style.transform)) / 100", selector)


def shown(browser, selector, expected, seconds=5):
    browser.until(
        "Math.abs(-parseFloat(/-?[\\d.]+(?=%)/.exec(document.querySelector(arguments[0]).querySelector('.travel').style.transform)) / 100 - arguments[1]) < 0.003",
        selector, expected, seconds=seconds)


def stands(browser, surface, position):
    """Opens the page, puts the fader of the session to a position, and answers where its middle is on the glass."""
    browser.open()
    surface.send("/session/show/fader", position)
    shown(browser, FADER, position)
    return browser.middle(FADER)


def a_finger_moves_the_router(browser, surface):
    x, y = stands(browser, surface, 0.5)
    length = browser.value("document.querySelector(arguments[0]).clientHeight - 44", FADER)
    browser.touch("touchStart", (1, x, y))
    for step in range(1, 11):
        browser.touch("touchMove", (1, x, y - length * 0.02 * step))
    browser.touch("touchEnd")
    moved = surface.until("/session/show/fader", near(0.7))
    shown(browser, FADER, moved)


def a_surface_moves_the_page_within_100_ms(browser, surface):
    browser.open()
    times = []
    for index in range(20):
        target = 0.3 + 0.02 * index
        # The page notes when the thumb arrives; both clocks are those of this machine.
        browser.run("""
            window.arrived = 0;
            const travel = document.querySelector(arguments[0]).querySelector('.travel');
            const look = () => {
              const place = -parseFloat(/-?[\\d.]+(?=%)/.exec(travel.style.transform)) / 100;
              if (Math.abs(place - arguments[1]) < 0.003) window.arrived = performance.timeOrigin + performance.now();
              else requestAnimationFrame(look);
            };
            look();""", FADER, target)
        sent = time.time() * 1000
        surface.send("/session/show/fader", target)
        times.append(browser.until("window.arrived") - sent)
    times.sort()
    # One of twenty may meet a busy machine.
    if times[-2] > 100:
        raise Failure(f"the thumb came after {times} ms")
    return f"median {times[10]:.0f} ms, worst {times[-1]:.0f} ms"


def fingers_do_not_disturb_each_other(browser, surface):
    browser.open()
    for address in ("/session/show/fader", "/output/usb/fader"):
        surface.send(address, 0.4)
    shown(browser, FADER, 0.4), shown(browser, OTHER, 0.4)
    (x, y), (u, v) = browser.middle(FADER), browser.middle(OTHER)
    browser.touch("touchStart", (1, x, y))
    browser.touch("touchStart", (1, x, y), (2, u, v))
    for step in range(1, 11):
        browser.touch("touchMove", (1, x, y - 4 * step), (2, u, v + 4 * step))
    browser.touch("touchEnd")
    length = browser.value("document.querySelector(arguments[0]).clientHeight - 44", FADER)
    up = surface.until("/session/show/fader", near(0.4 + 40 / length))
    down = surface.until("/output/usb/fader", near(0.4 - 40 / length))
    shown(browser, FADER, up), shown(browser, OTHER, down)


def a_finger_is_never_fought(browser, surface):
    x, y = stands(browser, surface, 0.5)
    browser.touch("touchStart", (1, x, y))
    length = browser.value("document.querySelector(arguments[0]).clientHeight - 44", FADER)
    for step in range(1, 11):
        browser.touch("touchMove", (1, x, y - 5 * step))
    surface.until("/session/show/fader", near(0.5 + 50 / length))
    under = place(browser, FADER)
    # Another surface pulls the fader down, and a value beside it tells when the page has heard of that.
    surface.send("/session/show/fader", 0.1)
    surface.send("/session/show/mute", 1)
    browser.until("""document.querySelector('mr-switch[address="/session/show/mute"]').ariaChecked == 'true'""")
    if abs(place(browser, FADER) - under) > 0.001:
        raise Failure("the fader left the finger")
    browser.touch("touchEnd")
    shown(browser, FADER, surface.get("/session/show/fader")[0])
    surface.send("/session/show/mute", 0)


def aside_is_finer_and_two_taps_are_0_dB(browser, surface):
    x, y = stands(browser, surface, 0.3)
    browser.touch("touchStart", (1, x, y))
    browser.touch("touchMove", (1, x + 168, y - 6))
    for step in range(1, 11):
        browser.touch("touchMove", (1, x + 168, y - 6 - 6 * step))
    browser.touch("touchEnd")
    fine = surface.until("/session/show/fader", lambda value: value > 0.301)
    length = browser.value("document.querySelector(arguments[0]).clientHeight - 44", FADER)
    if fine - 0.3 > 0.35 * 66 / length:
        raise Failure(f"aside the fader moved by {fine - 0.3}, which is not fine")
    for _ in range(2):
        browser.touch("touchStart", (1, x, y))
        browser.touch("touchEnd")
    surface.until("/session/show/fader", near(0.75))
    shown(browser, FADER, 0.75)


def everything_goes_by_keyboard(browser, surface):
    mute = 'mr-switch[address="/session/show/mute"]'
    browser.open()
    surface.send("/session/show/fader", 0.5)
    surface.send("/session/show/mute", 0)
    shown(browser, FADER, 0.5)
    browser.run("document.querySelector(arguments[0]).focus()", FADER)
    for key, shift, expected in [("ArrowUp", False, 0.5125), ("ArrowDown", False, 0.5), ("ArrowUp", True, 0.5025), ("PageUp", False, 0.5775),
                                 ("0", False, 0.75), ("End", False, 1), ("PageDown", False, 0.925), ("Home", False, 0)]:
        browser.key(key, shift)
        surface.until("/session/show/fader", near(expected, 0.0005))
        shown(browser, FADER, expected)
    surface.send("/session/show/fader", 0.75)
    shown(browser, FADER, 0.75)
    browser.run("document.querySelector(arguments[0]).focus()", mute)
    for expected in (1, 0):
        browser.key(" ")
        surface.until("/session/show/mute", lambda value: value == expected)
        browser.until("document.querySelector(arguments[0]).ariaChecked == String(arguments[1] == 1)", mute, expected)


def a_wheel_moves_only_a_chosen_fader(browser, surface):
    x, y = stands(browser, surface, 0.5)
    wheel = lambda: browser.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
    wheel()
    browser.run("document.querySelector(arguments[0]).focus()", FADER)
    wheel()
    surface.until("/session/show/fader", near(0.5125))


def the_matrix_sends(browser, surface):
    browser.size(1024, 768)
    browser.open("matrix")
    surface.send("/session/show/stream/band/to/usb/on", 1)
    cell = '.cell[aria-label^="band to usb:"]'
    browser.until("document.querySelector(arguments[0])?.dataset.state == 'on'", cell)
    browser.run("document.querySelector('.grid').focus()")
    for key in ("Home", "PageUp"):
        browser.key(key)
    browser.until("document.querySelector('.cell.chosen')?.ariaLabel.startsWith('band to usb')")
    browser.key("Enter")
    surface.until("/session/show/stream/band/to/usb/on", lambda value: value == 0)
    browser.until("document.querySelector(arguments[0]).dataset.state == 'off'", cell)
    browser.key("Enter")
    surface.until("/session/show/stream/band/to/usb/on", lambda value: value == 1)
    # A guard is a lock, which says why.
    lock = browser.until("""document.querySelector('.cell[data-state="locked"][aria-label^="click to usb"]')?.ariaLabel""")
    if "never goes to usb" not in lock:
        raise Failure(f"the lock says {lock}")
    browser.run("""document.querySelector('.cell[aria-label^="click to usb"]').click()""")
    browser.until("document.querySelector('.editor .note').textContent.includes('never goes to usb')")
    browser.run("document.querySelector('.editor mr-switch').click()")
    # The phone has the same, an output at a time.
    browser.size(360, 640)
    browser.ready()
    browser.until("document.querySelector('mr-matrix-list select')?.value == 'usb'")
    toggle = 'mr-switch[address="/session/show/stream/band/to/usb/on"]'
    browser.until("document.querySelector(arguments[0])?.ariaChecked == 'true'", toggle)
    browser.run("document.querySelector(arguments[0]).click()", toggle)
    surface.until("/session/show/stream/band/to/usb/on", lambda value: value == 0)
    surface.send("/session/show/stream/band/to/usb/on", 1)
    try:
        surface.socket.settimeout(1)
        if surface.get("/session/show/stream/click/to/usb/on", seconds=1)[0] == 1:
            raise Failure("the guarded way is open")
    except TimeoutError:
        pass


def spare(surface, streams=("one",)):
    """A session of its own, whose streams may come and go."""
    surface.send("/session/remove", "spare")
    surface.send("/session/create", "spare", "multiRoute")
    for stream in streams:
        surface.send("/session/spare/stream/create", stream, 1)
        surface.get(f"/session/spare/stream/{stream}/fader")


def label(stream):
    return f"document.querySelector('.cell[aria-label^=\"{stream} to speaker:\"]')?.ariaLabel"


def a_send_that_is_gone_is_not_shown(browser, surface):
    """Neither one that went while another subject was looked at, nor one whose stream was removed and made again at once."""
    spare(surface)
    send = "/session/spare/stream/one/to/speaker"
    browser.open("matrix")
    for isSeen in (True, False):
        surface.send(f"{send}/on", 1)
        surface.send(f"{send}/gain", -10.0)
        browser.until(f"{label('one')}?.includes('-10.0 dB')")
        if not isSeen:
            browser.go("calls")
        surface.send("/session/spare/stream/remove", "one")
        surface.send("/session/spare/stream/create", "one", 1)
        surface.until(f"{send}/on", lambda value: value == 0)
        if not isSeen:
            browser.go("matrix")
        browser.until(f"{label('one')}?.includes('not sent')", seconds=5)
        browser.run("document.querySelector('.cell[aria-label^=\"one to speaker:\"]').click()")
        # The router reads a send that was never made as 0 dB, and may tell this behind the news that the send is gone.
        browser.until("['not known', '0.0 dB'].includes(document.querySelector('.editor mr-fader').ariaValueText)"
                      " && document.querySelector('.editor mr-switch').ariaChecked == 'false'")
    surface.send("/session/remove", "spare")


def leaving_a_subject_ends_no_other_subscription(browser, surface):
    """Scenes and Events subscribe to patterns that match what is wanted all the time."""
    browser.open("mixer")
    browser.run("return import('/core/router.js').then(({ router }) => { router.subscribe('/preset/fade'); router.subscribe('/preset/guard'); })")
    browser.run("return import('/core/router.js').then(({ router }) => router.subscribe('/preset/*')())")
    fade = surface.get("/preset/fade")[0]
    for value in (fade + 1, fade):
        surface.send("/preset/fade", value)
        browser.until("import('/core/router.js').then(({ router }) => router.value('/preset/fade') == arguments[0])", value, seconds=5)


def a_crosspoint_stays_chosen(browser, surface):
    """Whatever comes and goes above it; and another is not chosen when it goes itself. Only two taps on a crosspoint switch it."""
    spare(surface, ("one", "two"))
    chosen = "document.querySelector('.editor mr-row')?.getAttribute('address')"
    cell = "document.querySelector('.cell[aria-label^=\"two to speaker:\"]')"
    browser.open("matrix")
    browser.until(cell)
    browser.run(f"{cell}.click(); window.fader = document.querySelector('.editor mr-fader')")
    surface.send("/session/spare/stream/remove", "one")
    browser.until("!document.querySelector('.cell[aria-label^=\"one to speaker:\"]')")
    browser.until(f"{cell}.classList.contains('chosen')")
    if browser.value(chosen) != "/session/spare/stream/two/to/speaker" or not browser.value("window.fader.isConnected"):
        raise Failure(f"{browser.value(chosen)} is chosen")
    browser.run("for (const place of ['.grid .row .head', '.grid .space']) document.querySelector(place).dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))")
    browser.run(f"{cell}.dispatchEvent(new MouseEvent('dblclick', {{ bubbles: true }}))")
    surface.until("/session/spare/stream/two/to/speaker/on", lambda value: value == 1)
    surface.send("/session/spare/stream/remove", "two")
    browser.until(f"!{cell} && !{chosen}")
    surface.send("/session/remove", "spare")


def watchers_end_with_what_they_show(browser, surface):
    browser.open("mixer")
    browser.run("""
        window.watchers = 0;
        return import('/core/router.js').then(({ router }) => {
          const watch = router.watch.bind(router);
          router.watch = (...all) => {
            const end = watch(...all);
            window.watchers += 1;
            let isOver = false;
            return () => { window.watchers -= !isOver; isOver = true; end(); };
          };
        });""")
    browser.go("matrix")
    counts = []
    for _ in range(2):
        spare(surface)
        browser.until(label("one"))
        surface.send("/session/remove", "spare")
        browser.until(f"!({label('one')})")
        counts.append(browser.value("window.watchers"))
    if counts[0] != counts[1]:
        raise Failure(f"so many addresses are watched: {counts}")


def a_finger_keeps_its_fader_when_a_session_comes(browser, surface):
    browser.size(390, 800)
    browser.open("matrix")
    surface.send("/session/show/stream/band/to/usb/fader", 0.5)
    fader = 'mr-matrix-list mr-fader[address="/session/show/stream/band/to/usb"]'
    browser.until("document.querySelector(arguments[0])?.ariaDisabled == 'false'", fader)
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", fader)
    x, y = browser.middle(fader)
    browser.touch("touchStart", (1, x, y))
    browser.touch("touchMove", (1, x - 20, y))
    spare(surface)
    browser.until("document.querySelector('mr-matrix-list mr-row[address=\"/session/spare/stream/one/to/usb\"]')")
    isHeld = browser.value("document.querySelector(arguments[0]).classList.contains('touched')", fader)
    browser.touch("touchEnd")
    surface.send("/session/show/stream/band/to/usb/fader", 0.75)
    # The same on the sheet of a session.
    browser.size(1024, 768)
    browser.open("mixer")
    browser.run("document.querySelector('[subject=\"/session/show\"] .head').click()")
    inSheet = 'dialog mr-fader[address="/session/show/stream/band/to/usb"]'
    browser.until("document.querySelector(arguments[0])", inSheet)
    browser.run("document.querySelector(arguments[0]).focus()", inSheet)
    surface.send("/session/remove", "spare")
    browser.until("!document.querySelector('[subject=\"/session/spare\"]')")
    if not isHeld or not browser.value("document.activeElement == document.querySelector(arguments[0])", inSheet):
        raise Failure(f"{'the focus' if isHeld else 'the finger'} has lost its fader")


def a_sheet_goes_with_its_subject_and_tells_refusals(browser, surface):
    spare(surface)
    browser.open("mixer")
    head = '[subject="/session/spare"] .head'
    browser.until("document.querySelector(arguments[0])", head)
    browser.run("document.querySelector(arguments[0]).click()", head)
    browser.until("document.querySelector('dialog mr-streams')")
    surface.send("/session/remove", "spare")
    browser.until("!document.querySelector('dialog')")
    browser.go("matrix")
    browser.go("mixer")
    browser.run("document.querySelector('[subject=\"/output/usb\"] .head').click()")
    browser.until("document.querySelector('dialog')")
    browser.run("return import('/core/router.js').then(({ router }) => { router.send('/output/usb/gain', 99); })")
    browser.until("document.querySelector('dialog .messages p')")
    browser.run("history.back()")
    browser.until("!document.querySelector('dialog') && document.querySelector('mr-matrix') && document.querySelector('mr-shell > .messages p')")


ODD = ["<img src=x onerror=window.broken=1>", '"><script>window.broken=1</script>', "&lt;b&gt;' onfocus='window.broken=1",
       "\u202eevil\u202c \u2066left", "long " * 50]


def names_are_only_text(browser, surface):
    browser.open()
    for name in ODD:
        surface.send("/session/show/name", name)
        kept = surface.until("/session/show/name", lambda value: value != "")
        browser.until("""document.querySelector('[subject="/session/show"] .head bdi').title == arguments[0]""",
                      clean(kept))
        if browser.value("window.broken || document.querySelector('.head img, .head script')"):
            raise Failure(f"{name} became markup")
        if browser.value("document.querySelector('[subject=\"/session/show\"]').offsetWidth > 110"):
            raise Failure(f"{name} makes the strip wider")
    surface.send("/session/show/name", "show")


def clean(text):
    """The text without the characters that change the direction of writing, as the page shows it."""
    return "".join(" " if c in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" else c for c in text)[:256]



CHECKS = [
    a_finger_moves_the_router, a_surface_moves_the_page_within_100_ms, a_finger_is_never_fought, aside_is_finer_and_two_taps_are_0_dB,
    everything_goes_by_keyboard, a_wheel_moves_only_a_chosen_fader, the_matrix_sends, a_send_that_is_gone_is_not_shown,
    leaving_a_subject_ends_no_other_subscription, a_crosspoint_stays_chosen, watchers_end_with_what_they_show,
    a_finger_keeps_its_fader_when_a_session_comes, a_sheet_goes_with_its_subject_and_tells_refusals, names_are_only_text,
]
# After two fingers the browser's protocol gives no further touches to a new page.
LAST = [fingers_do_not_disturb_each_other]
SHEETS = [("streams", "mixer", '[subject="/session/show"] .head', "mr-streams mr-row")]
