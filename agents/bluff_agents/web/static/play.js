// Playing: the person's hand, what may be done with it, and the moment to call.

import { claimWords } from "/cards.js";
import { byId, capital, counted, dialogue, fill, h, percent, setting } from "/dom.js";
import { Hand } from "/hand.js";
import { Moment } from "/moment.js";
import { summaryOf } from "/summary.js";
import { bars, Log, seatName, Table } from "/table.js";

const PACES = { slow: 1500, normal: 800, fast: 300, "at once": 0 }; // milliseconds for an event

export class Play {
  constructor(hello, { send, notice }) {
    this.hello = hello;
    this.send = send;
    this.notice = notice;
    this.state = null;
    this.waiting = false; // something was sent, and the answer is not here yet
    this.queue = [];
    this.timer = 0;
    this.pace = setting("pace", "normal");
    this.limit = setting("moment", "");
    this.table = new Table();
    this.log = new Log();
    this.hand = new Hand((move) => this.move(move), () => this.redraw());
    this.moment = new Moment(() => this.timeUp());
    this.window = h("section", { id: "window", "aria-label": "Your answer", hidden: true });
    this.ask = h("p", { id: "ask" });
    this.buttons = h("div", { className: "buttons", id: "buttons" });
    this.hint = h("section", { className: "panel", id: "hint", hidden: true });
    this.end = h("section", { id: "end", hidden: true });
    this.mine = h("section", { id: "mine", "aria-label": "Your hand" }, this.window, this.ask, this.hand.element, this.buttons);
    fill(byId("main"), h("div", { id: "board" }, this.table.element, this.end, this.mine),
      h("aside", { id: "side" }, this.hint, this.log.element));
    fill(byId("tools"), this.tools());
    byId("title").textContent = hello.rules ?? "house rules";
    document.title = `bluff: ${hello.rules ?? "house rules"}`;
  }

  leave() {
    clearTimeout(this.timer);
    this.moment.stop();
  }

  lost() {
    this.waiting = true;
    this.moment.stop();
    this.redraw();
  }

  refused() {
    this.waiting = false;
    this.redraw();
  }

  tools() {
    const choose = (id, label, kept, options) => h("label", {}, label, h("select", {
      id,
      on: { change: (event) => { kept.set(event.target.value); event.target.blur(); this.redraw(); } },
    }, options.map(([value, text]) => h("option", { value, selected: kept.get() === value }, text))));
    const given = this.hello.moment ? `${this.hello.moment} s` : "no limit";
    return [
      choose("pace", "Pace", this.pace, Object.keys(PACES).map((name) => [name, name])),
      choose("limit", "To answer", this.limit, [["", given], ["10", "10 s"], ["30", "30 s"], ["60", "60 s"], ["0", "no limit"]]),
      h("button", { type: "button", id: "rules", on: { click: () => this.rules() } }, "Rules (?)"),
    ];
  }

  // What the server says

  hear(message) {
    if (message.type === "hint") {
      this.showHint(message);
      return;
    }
    this.state = message;
    this.waiting = false;
    this.hint.hidden = true;
    this.hand.clear();
    if (message.log !== null) {
      this.skip(false);
      this.table.clear();
      this.log.set(message.log);
      this.recall();
    }
    if (message.stood) this.live("Nobody calls.");
    this.queue.push(...message.fresh);
    if (!this.timer) this.step();
    else this.redraw();
  }

  /** After a reload: the claim that stands beside whoever made it. */
  recall() {
    const claim = this.state.view.claim;
    if (claim?.open) this.table.bubble = { seat: claim.seat, text: capital(claim.words), tone: "claim" };
  }

  /** Shows the next event for a moment; when there is none left, asks. */
  step() {
    this.timer = 0;
    const event = this.queue.shift();
    if (!event) {
      this.redraw();
      return;
    }
    this.take(event);
    const long = event.kind === "call" || event.kind === "end" ? 2.2 : 1;
    const last = this.queue.length === 0;
    const pace = PACES[this.pace.get()] ?? PACES.normal;
    this.timer = setTimeout(() => this.step(), last && event.kind === "play" ? Math.min(pace, 150) : pace * long);
    this.redraw();
  }

  take(event) {
    const before = this.log.events.findLast((one) => one.kind === "play");
    this.table.take(event, before?.claim ?? null);
    this.counts = event.table;
    this.mover = "seat" in event ? event.seat : null;
    this.log.add(event);
    this.live(event.words);
  }

  /** Ends the showing one by one: all that is left at once. */
  skip(draw = true) {
    clearTimeout(this.timer);
    this.timer = 0;
    for (const event of this.queue.splice(0)) this.take(event);
    if (draw) this.redraw();
  }

  live(text) {
    byId("live").textContent = capital(text);
  }

  // What the person does

  get busy() {
    return this.waiting || this.timer !== 0;
  }

  move(text) {
    if (this.busy || !this.state) return;
    this.post({ type: "move", move: text });
  }

  post(message) {
    this.waiting = true;
    this.moment.stop();
    this.redraw();
    this.send({ ...message, at: this.state.at });
  }

  timeUp() {
    if (!this.busy && this.state?.view.phase === "answer") this.move("decline");
  }

  rules() {
    dialogue("The rules in play", h("ul", { className: "rules" }, this.hello.explained.map((line) => h("li", {}, line))),
      h("h2", {}, "Keys"), h("p", {},
        "A rank (A, 2 … 9, T, J, Q, K; X for a joker) takes a card of that rank up or puts it back, Enter or L lays. ",
        "C calls, D lets the claim stand, P passes, K keeps the start card, V votes for another. Escape puts all cards back. ",
        "H asks for a hint", this.hello.practice ? ", U takes a move back" : "", ". Space skips what is being shown."));
  }

  key(event) {
    const view = this.state?.view;
    if (!view) return false;
    const name = event.key.toLowerCase();
    const onButton = event.target.closest?.("button") && (name === "enter" || name === " ");
    if (onButton) return false; // the button's own
    if (name === "?") this.rules();
    else if (this.timer && (name === " " || name === "enter")) this.skip();
    else if (this.busy) return false;
    else if (name === "h" && !view.over) this.post({ type: "hint" });
    else if (name === "u" && view.can_undo) this.post({ type: "undo" });
    else if (view.phase === "answer" && name === "c") this.move("call");
    else if (view.phase === "answer" && name === "d") this.move("decline");
    else if (view.phase === "vote" && name === "k") this.move("keep");
    else if (view.phase === "vote" && name === "v") this.move("another");
    else if (name === "p" && this.can("pass")) this.move("pass");
    else return this.hand.key(name);
    return true;
  }

  can(kind) {
    return this.state.view.moves.some((move) => move.kind === kind);
  }

  // What is seen

  redraw() {
    if (!this.state) return;
    const view = this.state.view;
    const showing = this.timer !== 0;
    byId("where").textContent = this.line(view);
    this.table.show(view, showing ? this.counts : null, showing ? this.mover : null);
    const asked = !showing && !view.over;
    this.answerWindow(view, asked && view.phase === "answer");
    this.ask.textContent = showing ? "…" : view.over || view.phase === "answer" ? "" : capital(view.prompt) + (view.prompt.endsWith("?") ? "" : ".");
    const match = view.phase === "answer" && asked ? view.claim?.claim : null;
    this.hand.show(view, asked && !this.waiting, match);
    fill(this.buttons, asked ? this.actions(view) : showing ? this.button("Skip (space)", () => this.skip(), "skip", false) : null);
    this.mine.classList.toggle("asked", asked);
    byId("main").dataset.state = showing ? "showing" : this.waiting ? "waiting" : view.over ? "over" : view.phase;
    this.end.hidden = showing || !view.over;
    if (!this.end.hidden) {
      fill(this.end, summaryOf(this.state.summary, view),
        h("p", { className: "buttons" }, this.button("Deal again", () => this.post({ type: "again" }), "again", this.waiting, "main")));
    }
  }

  line(view) {
    const parts = [`turn ${view.turns + (view.phase === "play" ? 1 : 0)}`];
    if (view.target_points) parts.push(`${view.target_points} deals win`);
    if (view.passes) parts.push(`${view.passes} passed in a row`);
    for (const { seat, ago } of view.notices) parts.push(`seat ${seat} may have dropped a card ${ago ? `${counted(ago, "turn")} ago` : "just now"}`);
    if (view.practice) parts.push("practice");
    return parts.join(" · ");
  }

  button(text, act, key, disabled = this.waiting, className = "") {
    return h("button", { type: "button", className, disabled, data: { key }, on: { click: act } }, text);
  }

  answerWindow(view, open) {
    const opens = this.window.hidden && open;
    this.window.hidden = !open;
    if (!open) {
      this.moment.stop();
      return;
    }
    const claimant = view.seats[view.claim.seat];
    const accuse = view.moves.filter((move) => move.kind === "accuse");
    fill(this.window,
      h("p", { className: "said" }, h("span", { className: "who" }, `Seat ${claimant.seat}, ${seatName(claimant)}, says`), " ",
        h("strong", {}, claimWords(view.claim.claim, view.claim.count)), "."),
      h("div", { className: "buttons" },
        this.button("Call it a bluff (C)", () => this.move("call"), "call", this.waiting, "call"),
        this.button("Let it stand (D)", () => this.move("decline"), "decline", this.waiting, "main"),
        accuse.map((move) => this.button(capital(move.words), () => this.move(move.text), move.text))),
      this.moment.element);
    if (opens) this.window.scrollIntoView({ block: "nearest" }); // the clock runs: it must be seen in a low window, too
    const limit = this.limit.get() === "" ? this.hello.moment : Number(this.limit.get());
    if (this.waiting) this.moment.stop();
    else this.moment.start(this.state.at, limit);
  }

  actions(view) {
    const made = [...this.hand.actions(view, this.waiting)];
    if (view.phase === "vote") {
      made.push(this.button("Keep it (K)", () => this.move("keep"), "keep", this.waiting, "main"),
        this.button("Another (V)", () => this.move("another"), "another"));
    }
    if (this.can("pass")) made.push(this.button("Pass (P)", () => this.move("pass"), "pass"));
    made.push(this.button("Hint (H)", () => this.post({ type: "hint" }), "hint", this.waiting, "light"));
    if (view.practice) made.push(this.button("Undo (U)", () => this.post({ type: "undo" }), "undo", this.waiting || !view.can_undo, "light"));
    return made;
  }

  showHint(message) {
    this.waiting = false;
    const rows = message.moves.map((move) => ({ ...move, text: percent(move.chance) }));
    if (message.rest > 0.005) rows.push({ words: "something else", chance: message.rest, text: percent(message.rest) });
    fill(this.hint, h("h2", {}, `${message.agent} would`), bars(rows),
      message.win === null ? null : h("p", {}, `It gives you a chance of ${percent(message.win)} to win.`));
    this.hint.hidden = false;
    this.redraw();
  }
}
