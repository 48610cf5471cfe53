// Small helpers: elements are made by code, so that no text is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties, `data` and `on` (listeners), and children: elements, texts or nothing. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** As `h`, for drawings. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Replaces what an element holds; whoever had the focus in it, by `data-key`, has it again. */
export function fill(element, ...children) {
  const held = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  if (held !== undefined) element.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

export const byId = (id) => document.getElementById(id);

/** A chance for people: "72 %", "<1 %". */
export function percent(chance) {
  return chance > 0 && chance < 0.01 ? "<1 %" : `${Math.round(chance * 100)} %`;
}

export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
export const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** A setting that outlives a reload; where the browser keeps nothing, it lasts as long as the page. */
export function setting(name, otherwise) {
  let value = otherwise;
  try {
    value = localStorage.getItem(`bluff.${name}`) ?? otherwise;
  } catch {
    // nothing is kept
  }
  return {
    get: () => value,
    set: (next) => {
      value = next;
      try {
        localStorage.setItem(`bluff.${name}`, next);
      } catch {
        // nothing is kept
      }
    },
  };
}

/** A dialogue over the page; Escape and its button close it. */
export function dialogue(title, ...children) {
  const box = h("dialog", { on: { close: () => box.remove() } },
    h("h2", {}, title), ...children,
    h("p", { className: "buttons" }, h("button", { type: "button", on: { click: () => box.close() } }, "Close")));
  document.body.append(box);
  box.showModal();
}
