// The moment to decide: a bar that runs down. It stands still while the page cannot be seen.

import { h } from "/dom.js";

const TICK = 100; // milliseconds

export class Moment {
  constructor(over) {
    this.over = over;
    this.timer = 0;
    this.key = null;
    this.left = 0;
    this.bar = h("span", { className: "bar" });
    this.text = h("span", { className: "seconds" });
    this.element = h("div", { id: "moment" }, h("span", { className: "track" }, this.bar), this.text);
  }

  /** Begins for a decision, or goes on with it. Without a limit nothing runs. */
  start(key, seconds) {
    this.element.hidden = !seconds;
    if (this.key !== key || this.seconds !== seconds) {
      this.key = key;
      this.seconds = seconds;
      this.left = seconds * 1000;
    }
    clearInterval(this.timer);
    this.timer = seconds && this.left > 0 ? setInterval(() => this.tick(), TICK) : 0;
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  tick() {
    if (document.hidden || document.querySelector("dialog[open]")) return;
    this.left -= TICK;
    this.draw();
    if (this.left <= 0) {
      this.stop();
      this.over();
    }
  }

  draw() {
    const share = this.seconds ? Math.max(0, this.left / (this.seconds * 1000)) : 1;
    this.bar.style.width = `${share * 100}%`;
    this.element.classList.toggle("late", share < 0.25);
    this.text.textContent = `${Math.max(0, Math.ceil(this.left / 1000))} s, then it stands`;
  }
}
