// The person's hand: which cards are taken up, what they are said to be, and the move that makes.

import { cardFace, claimWords, face, isJoker, isTrue, suitOf } from "/cards.js";
import { counted, fill, h } from "/dom.js";

const SUIT_NAMES = { S: "Spades", H: "Hearts", D: "Diamonds", C: "Clubs" };

export class Hand {
  constructor(move, changed) {
    this.move = move;
    this.changed = changed;
    this.chosen = new Set(); // places in the hand
    this.claim = null; // chosen by the person, where there is a choice
    this.view = null;
    this.open = false;
    this.cards = h("div", { id: "hand", role: "group", "aria-label": "Your cards" });
    this.claims = h("div", { id: "claims", role: "group", "aria-label": "What you say they are" });
    this.element = h("div", {}, this.claims, this.cards);
  }

  clear() {
    this.chosen.clear();
    this.claim = null;
  }

  /** Shows the hand of a view. `open`: cards may be taken up; `match`: cards of this kind are marked. */
  show(view, open, match = null) {
    this.view = view;
    this.open = open && (view.phase === "play" || view.phase === "give");
    const size = view.hand.length > 30 ? "tiny" : view.hand.length > 16 ? "small" : "";
    this.cards.className = size;
    fill(this.cards, view.hand.map(({ card }, place) => cardFace(card, {
      key: `card${place}`,
      chosen: this.chosen.has(place),
      marked: match !== null && (card === match || isJoker(card)),
      onPick: this.open ? () => this.toggle(place) : null,
    })), view.hand.length ? null : h("p", { className: "quiet" }, "You have no cards left."));
    const choice = this.open && view.phase === "play" && view.to_claim.length > 1;
    this.claims.hidden = !choice;
    fill(this.claims, choice ? [h("span", { className: "label" }, "You say:"), ...this.claimButtons(view)] : null);
  }

  claimButtons(view) {
    const now = this.said();
    const rows = new Map();
    for (const claim of view.to_claim) {
      const suit = suitOf(claim);
      if (!rows.has(suit)) rows.set(suit, []);
      rows.get(suit).push(h("button", {
        type: "button", className: "claim", data: { key: `claim${claim}` }, "aria-pressed": String(claim === now),
        "aria-label": claimWords(claim, 1), on: { click: () => { this.claim = claim; this.changed(); } },
      }, face(claim)));
    }
    return [...rows].map(([suit, buttons]) => h("span", { className: "row", role: "group", "aria-label": SUIT_NAMES[suit] ?? "" }, buttons));
  }

  toggle(place) {
    const { most } = this.view;
    if (this.chosen.has(place)) this.chosen.delete(place);
    else {
      if (most === 1) this.chosen.clear();
      if (this.chosen.size >= most) return;
      this.chosen.add(place);
    }
    this.changed();
  }

  taken() {
    return [...this.chosen].sort((a, b) => a - b).map((place) => this.view.hand[place].card);
  }

  /** What the cards are said to be: as chosen, the only claim there is, or the truth where that may be said. */
  said() {
    const claims = this.view.to_claim;
    if (claims.length === 1) return claims[0];
    if (this.claim !== null) return this.claim;
    const natural = this.taken().find((card) => !isJoker(card));
    return claims.includes(natural) ? natural : null;
  }

  /** The buttons for what may be done with the cards taken up. */
  actions(view, waiting) {
    const cards = this.taken();
    if (view.phase === "give") {
      const enough = cards.length === view.most;
      return [this.button(`Give ${counted(view.most, "card")} (L)`, () => this.lay(), "give", waiting || !enough, "main")];
    }
    if (view.phase !== "play") return [];
    const said = this.said();
    const ready = cards.length >= view.least && said !== null;
    let text = cards.length ? "Say what they are" : "Take up cards to lay";
    if (ready) text = `Lay ${cards.length > 1 ? `${cards.length} cards` : "one card"} as ${claimWords(said, cards.length)} (L)`;
    const made = [this.button(text, () => this.lay(), "lay", waiting || !ready, "main")];
    if (ready) made.push(h("span", { className: `tag ${isTrue(said, cards) ? "true" : "false"}` }, isTrue(said, cards) ? "true" : "a bluff"));
    if (view.moves.some((move) => move.kind === "drop")) {
      made.push(this.button("Drop it unseen", () => this.move(`drop ${cards[0]}`), "drop", waiting || cards.length !== 1));
    }
    return made;
  }

  button(text, act, key, disabled, className = "") {
    return h("button", { type: "button", className, disabled, data: { key }, on: { click: act } }, text);
  }

  lay() {
    const { view } = this;
    const cards = this.taken();
    if (!this.open || cards.length < view.least || !cards.length) return;
    if (view.phase === "give") this.move(`give ${cards.join("")}`);
    else if (this.said() !== null) this.move(`${this.said()}:${cards.join("")}`);
  }

  /** A key, in small letters. True where it did something. */
  key(name) {
    if (!this.open) return false;
    if (name === "escape" && this.chosen.size) {
      this.clear();
      this.changed();
    } else if (name === "enter" || name === "l") this.lay();
    else if (name === "arrowleft" || name === "arrowright") this.step(name === "arrowleft" ? -1 : 1);
    else return this.rank(name);
    return true;
  }

  /** The focus to the next card. */
  step(by) {
    const cards = [...this.cards.querySelectorAll("button")];
    const at = cards.indexOf(document.activeElement);
    cards.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % cards.length)?.focus();
  }

  /** Takes up one more card of a rank; once all are up, or no more may be, puts them back. */
  rank(name) {
    const rank = (name === "0" ? "t" : name).toUpperCase();
    const places = this.view.hand.flatMap(({ card }, place) => (card[0] === rank ? [place] : []));
    if (rank.length !== 1 || !places.length) return false;
    const down = places.find((place) => !this.chosen.has(place));
    if (down === undefined || (this.chosen.size >= this.view.most && this.view.most > 1)) {
      for (const place of places) this.chosen.delete(place);
      this.changed();
    } else this.toggle(down);
    return true;
  }
}
