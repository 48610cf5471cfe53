// How a game went, once it is over.

import { cardFace, claimWords } from "/cards.js";
import { h } from "/dom.js";

/** What is told of each seat: deals won in a match, passes and drops where there were any. */
function columns({ seats, deals }) {
  const any = (key) => seats.some((row) => row[key] > 0);
  const match = deals > 1 && any("score");
  return [...(match ? [["score", "won"]] : []), ["cards", "left"], ["plays", "plays"], ["bluffs", "bluffs"], ["caught", "caught"],
    ...["passes", "drops"].filter(any).map((key) => [key, key]), ["calls", "calls"], ["right", "right"], ["taken", "taken"]];
}

export function summaryOf(summary, view) {
  const shown = columns(summary);
  return [h("h2", {}, winner(summary, view)), lastPlay(summary, view), h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Seat"), shown.map(([, name]) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, summary.seats.map((row) => h("tr", { className: row.seat === view.seat ? "you" : "" },
      h("th", { scope: "row" }, row.seat === view.seat ? "You" : row.name), shown.map(([key]) => h("td", {}, String(row[key]))))))),
    h("p", { className: "quiet" }, `${shown[0][0] === "score" ? "Deals won, cards left; plays" : "Plays"}, of them bluffs, of these caught; calls, of them right; cards taken for having been wrong.`)];
}

function winner(summary, view) {
  const what = view.target_points ? "the match" : "the game";
  if (summary.winner === null) return `Cut off after ${view.max_turns} turns: nobody wins.`;
  return summary.winner === view.seat ? `You win ${what}!` : `Seat ${summary.winner}, ${summary.seats[summary.winner].name}, wins ${what}.`;
}

/** What another's last cards were, which nobody has seen. */
function lastPlay(summary, view) {
  const last = summary.last;
  if (!last || last.seat === view.seat || summary.winner !== last.seat) return null;
  return h("p", { className: "row" }, `The last play, said to be ${claimWords(last.claim, last.cards.length)}, was ${last.true ? "true" : "a bluff"}: `,
    last.cards.map((card) => cardFace(card, { small: true })));
}
