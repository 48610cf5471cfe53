// Watching records: step by step, from call to call, open or as one seat saw it, with agents' opinions.

import { cardFace, claimWords, isTrue } from "/cards.js";
import { byId, capital, counted, dialogue, fill, h, percent, setting } from "/dom.js";
import { Plot } from "/plot.js";
import { bars, Log, Table } from "/table.js";

const RUN = 900; // milliseconds for a step, while it goes on by itself
const OPEN = "open";

export class Watch {
  constructor(hello, { send, notice }) {
    this.hello = hello;
    this.send = send;
    this.notice = notice;
    this.game = null; // the game's outline
    this.now = null; // the position shown
    this.said = new Map(); // agent -> its opinion of this position
    this.kept = readPlace();
    this.eyes = this.kept.eyes ?? hello.eyes;
    this.wanted = null;
    this.running = 0;
    this.agent = setting("opinion", "0");
    this.table = new Table();
    this.log = new Log();
    this.plot = new Plot((position) => this.go(position));
    this.hands = h("section", { id: "hands", "aria-label": "Hands" });
    this.next = h("p", { id: "next" });
    this.opinion = h("section", { className: "panel", id: "opinion" });
    this.where = h("input", { type: "range", id: "slider", min: "0", "aria-label": "Position", on: { input: (event) => this.go(Number(event.target.value)) } });
    this.steps = h("div", { className: "buttons", id: "steps" }, this.stepButtons());
    fill(byId("main"),
      h("div", { id: "board" }, this.steps, this.where, this.table.element,
        h("section", { id: "mine" }, this.next, this.hands)),
      h("aside", { id: "side" }, this.opinion, this.plot.element, this.log.element));
    this.open(this.kept.game < hello.games ? this.kept.game : hello.game);
  }

  leave() {
    this.run(false);
  }

  lost() {
    this.run(false);
  }

  refused() {
    this.run(false);
    this.wanted = null;
  }

  stepButtons() {
    const button = (text, act, key, title) => h("button", { type: "button", title, data: { key }, on: { click: act } }, text);
    return [
      button("First", () => this.go(0), "first", "Home"),
      button("Call before", () => this.call(-1), "callback", "Shift+C"),
      button("Back", () => this.step(-1), "back", "Left"),
      button("Step", () => this.step(1), "step", "Right"),
      button("Next call", () => this.call(1), "call", "C"),
      button("Last", () => this.go(this.game?.last ?? 0), "last", "End"),
      button("Run", () => this.run(!this.running), "run", "Space"),
    ];
  }

  tools() {
    const game = this.game;
    const seats = [[OPEN, "all hands open"], ...game.seats.map((name, seat) => [String(seat), `seat ${seat}, ${name}`])];
    return [
      h("label", {}, "Seen by", h("select", { id: "eyes", on: { change: (event) => this.look(event.target.value) } },
        seats.map(([value, text]) => h("option", { value, selected: value === this.eyes }, text)))),
      this.hello.games > 1 ? h("span", { className: "row" },
        h("button", { type: "button", data: { key: "gameback" }, disabled: game.game === 0, on: { click: () => this.open(game.game - 1) } }, "‹"),
        h("label", {}, "Game", h("input", {
          type: "number", id: "number", min: "1", max: String(this.hello.games), value: String(game.game + 1),
          on: { change: (event) => this.open(Math.max(1, Math.min(this.hello.games, Math.trunc(Number(event.target.value)) || 1)) - 1) },
        }), `of ${this.hello.games}`),
        h("button", { type: "button", data: { key: "gamenext" }, disabled: game.game === this.hello.games - 1, on: { click: () => this.open(game.game + 1) } }, "›")) : null,
      h("button", { type: "button", on: { click: () => this.help() } }, "Keys (?)"),
    ];
  }

  help() {
    dialogue("Keys", h("ul", { className: "rules" }, [
      "Right and left: a step on or back. Home and End: the beginning, the end.",
      "C: the next call. Shift+C: the call before. Space: go on by itself, or stop.",
      "O: all hands open. A digit: that seat's view. N and B: the next game, the one before.",
    ].map((line) => h("li", {}, line))));
  }

  // What the server says

  hear(message) {
    if (message.type === "game") this.opened(message);
    else if (message.type === "position") this.shown(message);
    else if (message.type === "opinion") this.heard(message);
  }

  opened(game) {
    this.game = game;
    this.now = null;
    if (this.eyes !== OPEN && Number(this.eyes) >= game.seats.length) this.eyes = OPEN;
    this.where.max = String(game.last);
    byId("title").textContent = game.rules ?? "house rules";
    document.title = `bluff: ${game.where}`;
    fill(byId("tools"), this.tools());
    this.plot.show(game);
    const kept = this.kept;
    this.kept = {};
    this.go(kept.game === game.game && kept.position <= game.last ? kept.position : 0);
  }

  shown(position) {
    if (position.game !== this.game?.game) return;
    const asked = this.wanted;
    this.wanted = null;
    this.now = position;
    this.said.clear();
    this.draw();
    keepPlace(this.game.game, position.position, this.eyes);
    if ((asked !== null && asked !== position.position) || String(position.eyes ?? OPEN) !== this.eyes) this.go(asked ?? position.position);
    else this.ask();
  }

  heard(message) {
    if (message.game !== this.game?.game || message.position !== this.now?.position) return;
    this.said.set(message.agent, message);
    this.drawOpinion();
  }

  // Where to look

  open(number) {
    this.run(false);
    this.wanted = null;
    this.send({ type: "game", game: number });
  }

  /** Asks for a position; while one is on its way, only the latest wish is kept. */
  go(position) {
    if (!this.game) return;
    const pending = this.wanted !== null;
    this.wanted = Math.max(0, Math.min(this.game.last, position));
    this.where.value = String(this.wanted);
    if (!pending) this.send({ type: "show", game: this.game.game, position: this.wanted, eyes: this.eyes });
  }

  get place() {
    return this.wanted ?? this.now?.position ?? 0;
  }

  step(by) {
    this.run(false);
    this.go(this.place + by);
  }

  call(by) {
    this.run(false);
    const calls = by > 0 ? this.game.calls : [...this.game.calls].reverse();
    const next = calls.find((at) => (by > 0 ? at > this.place : at < this.place));
    if (next === undefined) this.notice(by > 0 ? "No call after this." : "No call before this.");
    else this.go(next);
  }

  look(eyes) {
    this.eyes = eyes;
    fill(byId("tools"), this.tools());
    this.go(this.place);
  }

  run(on) {
    clearInterval(this.running);
    this.running = on ? setInterval(() => {
      if (this.place >= this.game.last) this.run(false);
      else if (this.wanted === null) this.go(this.place + 1);
    }, RUN) : 0;
    const button = this.steps.querySelector("[data-key=run]");
    button.textContent = on ? "Stop" : "Run";
  }

  key(event) {
    if (!this.game) return false;
    const name = event.key.toLowerCase();
    if (name === " " && event.target.closest?.("button")) return false;
    if (name === "arrowright") this.step(1);
    else if (name === "arrowleft") this.step(-1);
    else if (name === "home") this.go(0);
    else if (name === "end") this.go(this.game.last);
    else if (name === "c") this.call(event.shiftKey ? -1 : 1);
    else if (name === " ") this.run(!this.running);
    else if (name === "?") this.help();
    else if (name === "o") this.look(OPEN);
    else if (name === "n" && this.game.game < this.hello.games - 1) this.open(this.game.game + 1);
    else if (name === "b" && this.game.game > 0) this.open(this.game.game - 1);
    else if (/^[0-9]$/.test(name) && Number(name) < this.game.seats.length) this.look(name);
    else return false;
    return true;
  }

  // What is seen

  draw() {
    const { now } = this;
    const { view } = now;
    byId("where").title = this.game.where;
    byId("where").textContent = `${this.game.where.split(/[\\/]/).pop()} · step ${now.position} of ${now.last} · turn ${view.turns}` +
      (this.game.deals.length > 1 ? ` · deal ${now.deal + 1}` : "");
    this.where.value = String(now.position);
    this.table.clear();
    let claim = now.log.findLast((event) => event.kind === "play")?.claim ?? null;
    for (const event of now.fresh) {
      this.table.take(event, claim);
      if (event.kind === "play") claim = event.claim;
    }
    if (!this.table.bubble && view.claim) this.table.bubble = { seat: view.claim.seat, text: capital(view.claim.words), tone: "claim" };
    this.table.show(view);
    if (now.laid) {
      this.table.middle.append(h("div", { className: "heap" }, h("span", { className: "label" },
        `On the table, ${isTrue(view.claim.claim, now.laid) ? "true" : "a bluff"}`), h("span", { className: "row" }, now.laid.map((card) => cardFace(card, { small: true })))));
    }
    this.log.set([...now.log, ...now.fresh]);
    this.next.textContent = nextWords(now, this.game);
    fill(this.hands, now.hands.map((hand, seat) => (hand === null ? null : this.handRow(hand, seat, view))));
    this.plot.at(now.position);
    this.drawOpinion();
    byId("main").dataset.position = String(now.position);
  }

  handRow(hand, seat, view) {
    const claim = view.claim?.claim;
    return h("div", { className: `handrow${view.seats[seat].to_move ? " moves" : ""}` },
      h("span", { className: "label" }, `${seat} ${this.game.seats[seat]}, ${counted(hand.length, "card")}`),
      h("span", { className: "row" }, hand.map(({ card }) => cardFace(card, { small: true, marked: card === claim }))));
  }

  /** Asks for the opinion that is shown, where there is one to be had. */
  ask() {
    const { now } = this;
    if (!this.mayAsk()) return;
    this.send({ type: "opinion", game: this.game.game, position: now.position, agent: this.chosen });
  }

  get chosen() {
    return Math.min(Number(this.agent.get()) || 0, this.hello.agents.length - 1);
  }

  mayAsk() {
    const { now } = this;
    return now.next !== null && this.hello.agents.length > 0 && (this.eyes === OPEN || String(now.next.seat) === this.eyes);
  }

  drawOpinion() {
    const { now } = this;
    if (!now) return;
    const choose = h("label", {}, "Opinion of ", h("select", {
      id: "agent", data: { key: "agent" }, on: { change: (event) => { this.agent.set(event.target.value); this.drawOpinion(); this.ask(); } },
    }, this.hello.agents.map((name, at) => h("option", { value: String(at), selected: at === this.chosen }, name))));
    fill(this.opinion, h("h2", {}, choose), this.opinionLines());
  }

  opinionLines() {
    const { now } = this;
    if (now.next === null) return [h("p", { className: "quiet" }, "Nothing is decided here any more.")];
    if (!this.mayAsk()) return [h("p", { className: "quiet" }, `Seat ${now.next.seat} decides. From seat ${this.eyes}'s place that is not known.`)];
    const told = this.said.get(this.chosen);
    if (!told) return [h("p", { className: "quiet" }, "…")];
    if (told.failed) return [h("p", { className: "quiet" }, told.failed)];
    const { said } = told;
    const rows = said.moves.map((move) => ({ words: move.words + (move.made ? " ◂ done" : ""), chance: move.chance, text: percent(move.chance), marked: move.made }));
    if (said.rest > 0.005) rows.push({ words: "something else", chance: said.rest, text: percent(said.rest) });
    return [
      h("p", {}, `In the place of seat ${said.seat}, seeing what it sees:`),
      said.true === null ? null : h("p", { id: "truth" }, `The claim is true with a chance of ${percent(said.true)}.`),
      said.win === null ? null : h("p", { id: "win" }, `Chance to win: ${percent(said.win)}.`),
      bars(rows),
      said.win === null ? h("p", { className: "quiet" }, "This agent gives no value estimate.") : null,
    ];
  }
}

/** Who decides what, and what was done. */
function nextWords(now, game) {
  if (now.next === null) {
    if (!now.view.over) return "The record ends here; the game was not over.";
    if (now.view.cut_off) return `Cut off after ${now.view.max_turns} turns: nobody wins.`;
    return `Seat ${now.view.winner}, ${game.seats[now.view.winner]}, wins.`;
  }
  const who = `Seat ${now.next.seat}, ${game.seats[now.next.seat]},`;
  const asked = now.next.deciding === "answer" ? ` is asked about ${claimWords(now.view.claim.claim, now.view.claim.count)}` : " is to move";
  return `${who}${asked}${now.next.words ? `: ${now.next.words}` : ""}.`;
}

/** Where a reloaded tab was. */
function readPlace() {
  try {
    return JSON.parse(sessionStorage.getItem("bluff.place")) ?? {};
  } catch {
    return {};
  }
}

function keepPlace(game, position, eyes) {
  try {
    sessionStorage.setItem("bluff.place", JSON.stringify({ game, position, eyes }));
  } catch {
    // nothing is kept
  }
}
