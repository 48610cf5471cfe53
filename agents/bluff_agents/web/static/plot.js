// Hand sizes over a game, with its calls; a click goes there.

import { h, svg } from "/dom.js";

export const COLOURS = ["#1f5c99", "#b3262e", "#1d7a45", "#b9770e", "#6b3fa0", "#0f7f86", "#a03a6f", "#5a5f1f",
  "#3b6fd1", "#d1583b", "#2fa36b", "#8a6d3b", "#8f5fd0", "#3a8f96", "#c2568f", "#7b8030"];
const WIDTH = 420;
const HEIGHT = 200;
const LEFT = 30;
const BOTTOM = 22;

export class Plot {
  constructor(go) {
    this.go = go;
    this.drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, id: "plot", role: "img", "aria-label": "Hand sizes over the game" });
    this.legend = h("p", { className: "legend" });
    this.element = h("section", { className: "panel" }, h("h2", {}, "Hand sizes"), this.drawing, this.legend);
    this.drawing.addEventListener("click", (event) => {
      const box = this.drawing.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      if (this.game) this.go(Math.max(0, Math.min(this.game.last, Math.round(((x - LEFT) / (WIDTH - LEFT - 6)) * this.game.last))));
    });
  }

  show(game) {
    this.game = game;
    const most = Math.max(1, ...game.sizes.flat());
    this.x = (at) => LEFT + (game.last ? (at / game.last) * (WIDTH - LEFT - 6) : 0);
    const y = (cards) => HEIGHT - BOTTOM - (cards / most) * (HEIGHT - BOTTOM - 8);
    const made = [];
    const step = Math.max(1, Math.ceil(most / 4));
    for (let cards = 0; cards <= most; cards += step) {
      made.push(svg("line", { x1: LEFT, x2: WIDTH - 6, y1: y(cards), y2: y(cards), class: "grid" }),
        svg("text", { x: LEFT - 6, y: y(cards) + 4, class: "axis", "text-anchor": "end" }, String(cards)));
    }
    for (const at of game.calls) made.push(svg("line", { x1: this.x(at), x2: this.x(at), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 6, class: "call" }));
    for (const at of game.deals.slice(1)) made.push(svg("line", { x1: this.x(at), x2: this.x(at), y1: 4, y2: HEIGHT - BOTTOM, class: "deal" }));
    made.push(svg("text", { x: LEFT, y: HEIGHT - 3, class: "axis" }, "calls"));
    for (let seat = 0; seat < game.seats.length; seat++) {
      const points = [];
      let before = null;
      game.sizes.forEach((sizes, at) => {
        if (sizes[seat] === before && at !== game.last) return;
        if (before !== null) points.push(`${this.x(at).toFixed(1)},${y(before).toFixed(1)}`);
        points.push(`${this.x(at).toFixed(1)},${y(sizes[seat]).toFixed(1)}`);
        before = sizes[seat];
      });
      made.push(svg("polyline", { points: points.join(" "), class: "curve", stroke: COLOURS[seat], ...(seat % 2 ? { "stroke-dasharray": "6 3" } : {}) }));
    }
    this.here = svg("line", { y1: 4, y2: HEIGHT - BOTTOM, class: "here" });
    this.drawing.replaceChildren(...made, this.here);
    this.legend.replaceChildren(...game.seats.map((name, seat) => {
      const sign = svg("svg", { viewBox: "0 0 24 8", class: "key", "aria-hidden": "true" },
        svg("line", { x1: 0, x2: 24, y1: 4, y2: 4, class: "curve", stroke: COLOURS[seat], ...(seat % 2 ? { "stroke-dasharray": "6 3" } : {}) }));
      return h("span", { className: "row" }, sign, `${seat} ${name}`);
    }));
  }

  at(position) {
    this.here?.setAttribute("x1", this.x(position));
    this.here?.setAttribute("x2", this.x(position));
  }
}
