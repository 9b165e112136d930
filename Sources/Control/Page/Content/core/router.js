// The router, as this page knows it: its values, what the page has subscribed to, and commands. All elements share this one.
//
// Events: `state` (detail: "connecting", "live" or "lost"), `right`, `problem` (detail: address, symbol, sentence),
// `event` (detail: address such as /event/session, arguments), `structure` (things may have come or gone).

import { Connection } from "./connection.js";
import { prefixes } from "./osc.js";
import { Store } from "./store.js";

/** How often a value is wanted, a second. What moves shares frames if all of it comes at one pace: faders and meters alike. */
const PACE = 20;
/** What snapshots leave out: meters, and what is measured all the time. */
const MEASURED = /^\/(meter|health)\/|\/(peak|average|drift|erle)$|\/effect\/\d+\/meter\//;
/** How often the page asks for its right at most, in milliseconds, when something was denied. */
const ASK_AGAIN = 1_000;

class Router extends EventTarget {
  /** "connecting" before the first answer, "live" while values are true, "lost" while nothing comes. */
  state = "connecting";
  /** What this page may do: "mix", "view", "control", "admin"; "none" before the router has said, and after the end of a token. */
  right = "none";
  /** The token of a mix, which limits this page to that mix; nothing for the whole desk. */
  token = "";
  /** The number that this page has at the router; 0 before it has one. */
  client = 0;
  #connection = new Connection();
  #store = new Store();
  /** The rate of each pattern, and who waits for the end of its snapshots. */
  #subscriptions = new Map();
  /** When snapshots were asked for that have not come, by their patterns, and when the last one ended: marks of the store. */
  #asked = new Map();
  #snapshotEnd = 0;
  /** When feedback was missed last: a mark of the store. */
  #gap = -1;
  /** Whether the router has accepted the token. */
  #hasMix = false;
  #askedRightAt = -ASK_AGAIN;
  #epoch = null;
  #sequence = null;
  #nextRequest = 1 + Math.floor(Math.random() * 2 ** 30);
  #requests = new Map();

  start() {
    this.#connection.onMessage = (address, args) => this.#take(address, args);
    this.#connection.addEventListener("open", () => this.#join());
    this.#connection.addEventListener("lost", () => this.#lose());
    this.#connection.addEventListener("text", (event) => this.#takeCommand(event.detail));
    this.#connection.start();
  }

  // MARK: Values

  /** The first argument of an address, or `otherwise` while it is unknown. */
  value(address, otherwise) {
    return this.#store.value(address, otherwise);
  }

  /** All arguments of an address; none while it is unknown. */
  values(address) {
    return this.#store.get(address) ?? [];
  }

  /** Calls `change(arguments)` at most once a picture. Returns what ends this. */
  watch(address, change) {
    return this.#store.watch(address, change);
  }

  /** Forgets what was told of something that is gone, with everything below it. */
  forget(address) {
    this.#store.forget((other) => other === address || other.startsWith(`${address}/`));
  }

  // MARK: Commands

  /** The router's name. */
  get name() {
    return this.#connection.name;
  }

  get mayControl() {
    return this.mayView && this.right !== "view";
  }

  /** A host with the right `mix` sees and controls nothing without a token. */
  get mayView() {
    return this.state === "live" && this.right !== "none" && (this.right !== "mix" || this.#hasMix);
  }

  /** Sets a value or fires a command. The page shows the change when the router tells it. */
  send(address, ...args) {
    this.#connection.send(address, ...args);
  }

  /** Sends one message and awaits its answers, each the arguments of a message. Rejects with the router's sentence. */
  ask(address, ...args) {
    return new Promise((resolve, reject) => {
      if (this.state !== "live") return reject(new Error("There is no connection."));
      const id = this.#nextRequest++;
      this.#requests.set(id, { address, answers: [], resolve, reject });
      this.send("/request", id, address, ...args);
    });
  }

  /** The rows of a list, each without its index and the total. */
  async list(address, ...args) {
    const rows = await this.ask(address, ...args);
    return rows.filter((row) => row[1] > 0).map((row) => row.slice(2));
  }

  /** What OSCQuery tells of an address and all below it. Rejects if there is no such address now. */
  async tree(address) {
    const answer = await fetch(address, { cache: "no-store", headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  // MARK: Subscriptions

  /** Wants the values of a pattern, at most `rate` times a second each. `ready` is called whenever its snapshot is complete. Returns what ends it. */
  subscribe(pattern, rate = PACE, ready = () => {}) {
    let entry = this.#subscriptions.get(pattern);
    if (!entry) {
      entry = { rate, waiting: new Set() };
      this.#subscriptions.set(pattern, entry);
      this.#ask(pattern, rate);
    } else {
      // Who comes later needs no snapshot: the store has the values.
      queueMicrotask(ready);
    }
    entry.waiting.add(ready);
    return () => {
      entry.waiting.delete(ready);
      if (entry.waiting.size > 0 || this.#subscriptions.get(pattern) !== entry) return;
      this.#subscriptions.delete(pattern);
      this.send("/unsubscribe", pattern);
      // With it the router ends the subscriptions to all that the pattern matches.
      const isEnded = prefixes(pattern);
      for (const [other, { rate }] of this.#subscriptions) if (isEnded(other)) this.#ask(other, rate);
    };
  }

  /** Asks for a snapshot of a pattern, where nothing else tells that values are gone. */
  refresh(pattern) {
    this.#await(pattern);
    this.send("/snapshot", pattern);
  }

  #ask(pattern, rate) {
    this.#await(pattern);
    this.send("/subscribe", pattern, rate);
  }

  #await(pattern) {
    if (!this.#asked.has(pattern)) this.#asked.set(pattern, this.#store.mark());
  }

  /** A snapshot that came whole has all that there is of a pattern: what it did not bring is gone. Snapshots come one behind the other. */
  #complete([pattern, , sequence]) {
    const mark = Math.max(this.#snapshotEnd, this.#asked.get(pattern) ?? 0);
    this.#asked.delete(pattern);
    this.#snapshotEnd = this.#store.mark();
    const covers = prefixes(pattern);
    const isWhole = this.#gap < mark && sequence === this.#sequence;
    if (isWhole) this.#store.forget((address) => covers(address) && !MEASURED.test(address), mark);
    this.#subscriptions.get(pattern)?.waiting.forEach((ready) => ready());
  }

  // MARK: What comes

  #join() {
    this.#sequence = null;
    this.#hasMix = false;
    this.#asked.clear();
    if (this.token) this.send("/token", this.token);
    this.send("/hello", "page");
    this.send("/client/echo", "always");
    // A browser needs longer to take a frame than to read it.
    this.send("/client/bundles", 1);
    for (const [pattern, { rate }] of this.#subscriptions) this.#ask(pattern, rate);
  }

  #lose() {
    for (const { reject } of this.#requests.values()) reject(new Error("The connection was lost."));
    this.#requests.clear();
    this.#enter("lost");
  }

  #enter(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell("state", state);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #take(address, args) {
    switch (address) {
      case "/seq": return this.#count(args);
      case "/pong": case "/alive": case "/ok": case "/synced": return;
      case "/welcome": return this.#welcome(args);
      case "/token/welcome": return (this.#hasMix = true);
      case "/token/ended": return this.#end(args);
      case "/snapshot/end": return this.#complete(args);
      case "/error": return this.#refuse(args);
      case "/response": return this.#respond(args);
    }
    if (address.startsWith("/event/") && address !== "/event/lines") {
      this.#tell("event", { address, args });
      if (/^\/event\/(session|port|preset|media)$/.test(address)) this.#tell("structure");
      return;
    }
    for (const request of this.#requests.values()) {
      if (request.address === address) {
        request.answers.push(args);
        return;
      }
    }
    this.#store.put(address, args);
  }

  #refuse([address, , symbol, sentence]) {
    this.#tell("problem", { address, symbol, sentence });
    this.#doubt(symbol);
  }

  /** What is denied tells that the right may have fallen, as when the hosts were edited: `/welcome` says it. */
  #doubt(symbol) {
    if (symbol !== "denied" || performance.now() - this.#askedRightAt < ASK_AGAIN) return;
    this.#askedRightAt = performance.now();
    this.send("/hello", "page");
  }

  /** The router has taken the token back, or its time is over. The page then has no right, even where its host has one. */
  #end([, reason]) {
    this.#connection.end();
    this.right = "none";
    this.#tell("right", this.right);
    this.#tell("problem", { address: "/token", symbol: "denied", sentence: `This link has ended: ${reason}. Ask for another.` });
  }

  #welcome([client, right, , , epoch]) {
    const isOther = this.#epoch !== null && this.#epoch !== epoch;
    if (this.state === "live" && !isOther && right === this.right) return;
    [this.#epoch, this.client, this.right] = [epoch, client, right];
    // Another router, or one that was started anew, has values of its own.
    if (isOther) {
      this.#sequence = null;
      this.#store.forget(() => true);
    }
    this.#enter("live");
    this.#tell("right", right);
    this.#tell("structure");
  }

  /** Each piece of feedback is numbered. A gap means that the router left some out because the page read too slowly. */
  #count([epoch, sequence]) {
    const last = this.#sequence;
    this.#sequence = sequence;
    if (last === null || sequence === last + 1) return;
    this.#gap = this.#store.mark();
    if (this.#epoch === epoch && sequence > last) this.send("/resync", last);
  }

  #respond([id, code, , ...rest]) {
    const request = this.#requests.get(id);
    if (!request) return;
    this.#requests.delete(id);
    // A single answer is part of the response; of several the response tells the number.
    if (code === 0) request.resolve(request.answers.length > 0 || rest.length === 0 ? request.answers : [rest]);
    else {
      this.#doubt(rest[0]);
      request.reject(new Error(String(rest[1] ?? rest[0] ?? "The router refused this.")));
    }
  }

  /** A command of OSCQuery says that something came, went or has changed. */
  #takeCommand(text) {
    try {
      const { COMMAND, DATA } = JSON.parse(text);
      if (COMMAND === "PATH_REMOVED") this.forget(DATA);
      if (/^PATH_/.test(COMMAND)) this.#tell("structure");
    } catch {
      // A text that is no JSON means nothing to the page.
    }
  }
}

export const router = new Router();
