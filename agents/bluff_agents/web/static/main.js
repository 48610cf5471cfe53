// The connection to the server, which is kept up, and the choice of what the page shows.

import { byId, fill, h } from "/dom.js";
import { Play } from "/play.js";
import { Watch } from "/watch.js";

const FIRST_WAIT = 500; // milliseconds before the connection is tried again, twice as long each time
const LONGEST_WAIT = 8000;

let socket = null;
let page = null;
let wait = FIRST_WAIT;
let noticeTimer = 0;

/** A line above the page; `lasting` until the next one, else for a few seconds. */
function notice(text, lasting = false) {
  const line = byId("notice");
  clearTimeout(noticeTimer);
  line.textContent = text;
  line.hidden = !text;
  if (text && !lasting) noticeTimer = setTimeout(() => notice(""), 6000);
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else notice("Not connected; nothing was sent.");
}

function hear(message) {
  if (message.type === "hello") {
    page?.leave();
    const kind = message.mode === "watch" ? Watch : Play;
    page = new kind(message, { send, notice });
  } else if (message.type === "error") {
    notice(message.text);
    page?.refused();
  } else {
    page?.hear(message);
  }
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.addEventListener("open", () => {
    wait = FIRST_WAIT;
    notice("");
  });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    page?.lost();
    notice("The connection is gone. Is bluff still running? Trying again …", true);
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  });
}

document.addEventListener("keydown", (event) => {
  const typing = /^(input|select|textarea)$/i.test(event.target.tagName);
  if (typing || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (page?.key(event)) event.preventDefault();
});

fill(byId("main"), h("p", { className: "quiet" }, "Connecting …"));
connect();
