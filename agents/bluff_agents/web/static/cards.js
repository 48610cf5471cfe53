// Cards and claims: drawn, and in words.

import { h, svg } from "/dom.js";

const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
  8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king",
};
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

// Suits in a square of 24, drawn for this page.
const HEART =
  "M12 21.5C5.5 15.8 2 12 2 8.1 2 5 4.3 3 6.9 3 9.1 3 11 4.3 12 6.4 13 4.3 14.9 3 17.1 3 " +
  "19.7 3 22 5 22 8.1 22 12 18.5 15.8 12 21.5Z";
const SPADE =
  "M12 2C9.2 6.6 3 10.2 3 14.8 3 17.5 5.1 19.2 7.4 19.2 9 19.2 10.4 18.4 11.3 17.1 11.2 19.1 " +
  "10.3 20.8 8.5 22H15.5C13.7 20.8 12.8 19.1 12.7 17.1 13.6 18.4 15 19.2 16.6 19.2 18.9 19.2 21 " +
  "17.5 21 14.8 21 10.2 14.8 6.6 12 2Z";
const STEM = "M10.9 12H13.1C13.1 17.3 13.8 20.2 15.6 22H8.4C10.2 20.2 10.9 17.3 10.9 12Z";

/** A suit, drawn: `H`, `S`, `D` or `C`. */
export function suitSign(suit) {
  const made = svg("svg", { viewBox: "0 0 24 24", class: `suit ${SUITS[suit]}`, "aria-hidden": "true" });
  if (suit === "H") made.append(svg("path", { d: HEART }));
  if (suit === "D") made.append(svg("path", { d: "M12 1.5L20 12 12 22.5 4 12Z" }));
  if (suit === "S") made.append(svg("path", { d: SPADE }));
  if (suit === "C") {
    for (const [x, y] of [[12, 6.8], [6.6, 13.6], [17.4, 13.6]]) made.append(svg("circle", { cx: x, cy: y, r: 4.7 }));
    made.append(svg("path", { d: STEM }));
  }
  return made;
}

export const isJoker = (card) => card === "X";
export const suitOf = (card) => (isJoker(card) || card.length < 2 ? null : card[1]);
export const rankText = (card) => (isJoker(card) ? "joker" : card[0] === "T" ? "10" : card[0]);
export const isTrue = (claim, cards) => cards.every((card) => isJoker(card) || card === claim);

/** "ten of hearts", "ten", "joker". */
export function cardWords(card) {
  if (isJoker(card)) return "joker";
  const suit = suitOf(card);
  return suit ? `${RANKS[card[0]]} of ${SUITS[suit]}` : RANKS[card[0]];
}

/** What a play is said to be: "two fours", "a six", "the ten of hearts". */
export function claimWords(claim, count) {
  if (claim.length > 1) return `the ${cardWords(claim)}`;
  const rank = RANKS[claim];
  if (count === 1) return `${"ae".includes(rank[0]) ? "an" : "a"} ${rank}`;
  return `${NUMBERS[count] ?? count} ${rank}${rank.endsWith("x") ? "es" : "s"}`;
}

/** Rank and suit of a card, or of a claim. */
export function face(card) {
  const suit = suitOf(card);
  const red = suit === "H" || suit === "D" ? " red" : "";
  return h("span", { className: `face${red}` }, rankText(card), suit && suitSign(suit));
}

/** A card, face up. A button where something is to come of it. */
export function cardFace(card, { key, chosen = false, marked = false, onPick = null, small = false, title = "" } = {}) {
  const classes = `card${chosen ? " chosen" : ""}${marked ? " marked" : ""}${small ? " small" : ""}${isJoker(card) ? " joker" : ""}`;
  if (!onPick) {
    return h("span", { className: classes, role: "img", "aria-label": cardWords(card), title }, face(card));
  }
  return h("button", {
    className: classes, type: "button", "aria-label": cardWords(card), "aria-pressed": String(chosen), title,
    data: { key }, on: { click: onPick },
  }, face(card));
}

/** A few cards, face down, and how many. */
export function backs(number, most = 8) {
  const row = h("span", { className: "backs", "aria-hidden": "true" });
  for (let i = 0; i < Math.min(number, most); i++) row.append(h("span", { className: "back" }));
  return row;
}
