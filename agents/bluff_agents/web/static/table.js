// The table as it is shown in play and in records: who sits where with how many cards, the pile, what was said.

import { backs, cardFace, claimWords, face } from "/cards.js";
import { capital, counted, fill, h } from "/dom.js";

/** A seat's name as the page writes it. */
export function seatName(row) {
  return row.you ? "You" : row.name;
}

/** What a seat says or does in an event, for the bubble beside it: its seat, a short text, and a colour. */
export function saying(event) {
  switch (event.kind) {
    case "play":
      return { seat: event.seat, text: capital(claimWords(event.claim, event.count)), tone: "claim" };
    case "call":
      return { seat: event.seat, text: "I call it a bluff!", tone: "call" };
    case "pass":
      return { seat: event.seat, text: "Pass", tone: "" };
    case "accuse":
      return { seat: event.seat, text: `Seat ${event.accuse} dropped a card!`, tone: "call" };
    default:
      return null;
  }
}

/** The seats, the middle of the table, and their state between two events. */
export class Table {
  constructor() {
    this.seats = h("ol", { id: "seats" });
    this.middle = h("div", { id: "middle" });
    this.element = h("section", { id: "table", "aria-label": "The table" }, this.seats, this.middle);
    this.bubble = null;
    this.turned = null;
  }

  /** Shows a view, with other numbers of cards than its own where `counts` (an event's `table`) has them. */
  show(view, counts = null, toMove = null) {
    const now = counts ?? { cards: view.seats.map((row) => row.cards), pile: view.pile, stock: view.stock };
    const order = view.seats.map((_, i) => view.seats[(view.seat + 1 + i) % view.seats.length]);
    fill(this.seats, order.map((row) => this.seat(row, now.cards[row.seat], view, toMove)));
    this.seats.classList.toggle("many", view.seats.length > 6);
    fill(this.middle, this.heap("Pile", now.pile), view.stock || now.stock ? this.heap("Stock", now.stock) : null,
      view.start_card && h("div", { className: "heap" }, h("span", { className: "label" }, "Start card"),
        cardFace(view.start_card.card, { small: true })), this.turnedCards());
  }

  seat(row, cards, view, toMove) {
    const moves = toMove === null ? row.to_move : row.seat === toMove;
    const said = this.bubble?.seat === row.seat ? this.bubble : null;
    const classes = `seat${row.you ? " you" : ""}${moves ? " moves" : ""}${said ? " speaks" : ""}`;
    return h("li", { className: classes, data: { seat: String(row.seat) } },
      h("span", { className: "name" }, h("span", { className: "number" }, `seat ${row.seat}`), seatName(row)),
      h("span", { className: "count" }, backs(cards, view.seats.length > 6 ? 4 : 8), counted(cards, "card")),
      view.target_points ? h("span", { className: "score" }, `${row.score} of ${view.target_points} won`) : null,
      h("span", { className: `bubble ${said?.tone ?? ""}` }, said ? said.text : ""));
  }

  heap(label, cards) {
    return h("div", { className: "heap" }, h("span", { className: "label" }, label), backs(cards, 5),
      h("span", { className: "count" }, counted(cards, "card")));
  }

  turnedCards() {
    if (!this.turned) return null;
    const { cards, claim, truthful } = this.turned;
    return h("div", { className: `turned ${truthful ? "true" : "false"}` },
      h("span", { className: "label" }, "Turned: ", truthful ? "true" : "a bluff"),
      cards && h("span", { className: "row" }, cards.map((card) => cardFace(card, { small: true }))),
      claim && h("span", { className: "count" }, "said: ", face(claim)));
  }

  /** Takes an event's bubble, and the cards that it turns. `claim`: what the play before it was said to be. */
  take(event, claim = null) {
    const said = saying(event);
    if (said) this.bubble = said;
    if (event.kind === "call") this.turned = { cards: event.cards, claim, truthful: event.truthful };
    else if (event.kind !== "notice") this.turned = null;
  }

  clear() {
    this.bubble = null;
    this.turned = null;
  }
}

/** All that has been told, the latest at the end and in sight. */
export class Log {
  constructor() {
    this.list = h("ol", { id: "log", tabIndex: 0, "aria-label": "What has happened" });
    this.element = h("section", { className: "panel" }, h("h2", {}, "What has happened"), this.list);
    this.events = [];
  }

  set(events) {
    this.events = [];
    this.list.replaceChildren();
    for (const event of events) this.add(event);
  }

  add(event) {
    this.events.push(event);
    const tone = event.kind === "call" ? (event.truthful ? "true" : "false") : event.kind;
    this.list.append(h("li", { className: tone }, capital(event.words)));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** Chances as rows with bars: each has `words` and `chance`. */
export function bars(rows) {
  return h("ul", { className: "bars" }, rows.map((row) => {
    const bar = h("span", { className: "bar" });
    bar.style.width = `${Math.max(0.5, row.chance * 100)}%`;
    return h("li", { className: row.marked ? "marked" : "" }, h("span", { className: "what" }, row.words),
      h("span", { className: "much" }, row.text), h("span", { className: "track" }, bar));
  }));
}
