// Choosing the head of a word in the tree: by keys (arrows or its number) or by dragging the word onto it.

import { TreeView } from "/static/tree.js";

const SVG = "http://www.w3.org/2000/svg";

/** A head being chosen for a word of a TreeView; `say(text)` tells what is chosen, `done(head or null)` ends it. */
export class HeadPicker {
  constructor(holder, view, word, { say, done }) {
    Object.assign(this, { holder, view, word, say, done, typed: "", target: view.heads.get(word) ?? 0 });
    this.line = document.createElementNS(SVG, "path");
    this.line.setAttribute("class", "new-arc");
    view.svg.append(this.line);
    this.root = document.createElement("div");
    this.root.className = "root-place";
    this.root.textContent = "root";
    this.root.style.left = `${holder.scrollLeft + holder.clientWidth / 2}px`;
    holder.append(this.root);
    this.show();
  }

  form(number) {
    if (number === 0) return "the root";
    return `${number} ${this.view.word(number).querySelector(".form").textContent}`;
  }

  aim(target) {
    if (target === null || target === this.word || target < 0 || target > this.view.words.length) return;
    this.target = target;
    this.show();
  }

  show() {
    for (const marked of this.holder.querySelectorAll(".is-target")) marked.classList.remove("is-target");
    (this.target === 0 ? this.root : this.view.word(this.target)).classList.add("is-target");
    const [x, y] = this.top(this.word);
    const [to, end] = this.target === 0 ? [x, 4] : this.top(this.target);
    const peak = this.target === 0 ? 4 : Math.max(4, Math.min(y, end) - 18 - 0.18 * Math.abs(to - x));
    this.draw(this.target === 0 ? `M${x} ${y}V${end}` : `M${x} ${y}C${x} ${peak} ${to} ${peak} ${to} ${end}`);
    if (this.target > 0) this.view.word(this.target).scrollIntoView({ block: "nearest", inline: "nearest" });
    this.say(`Head of ${this.form(this.word)}: ${this.form(this.target)}. Enter takes it, Escape does not.`);
  }

  draw(path) {
    this.line.setAttribute("d", path);
  }

  /** Where the arcs of a word begin, in the coordinates of the drawing. */
  top(number) {
    const form = this.view.word(number).querySelector(".form");
    return [Number(form.getAttribute("x")), Number(form.getAttribute("y")) - 15];
  }

  /** Follows the pointer, and aims at what is under it. */
  follow(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const box = this.view.svg.getBoundingClientRect();
    const word = TreeView.wordOf(under);
    const [x, y] = this.top(this.word);
    this.over = under === this.root || event.clientY < box.top + 12 ? 0 : word === this.word ? null : word;
    if (this.over !== null && this.over !== undefined) this.aim(this.over);
    else for (const marked of this.holder.querySelectorAll(".is-target")) marked.classList.remove("is-target");
    this.draw(`M${x} ${y}L${event.clientX - box.left} ${event.clientY - box.top}`);
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const right = this.top(1)[0] <= this.top(this.view.words.length)[0] ? 1 : -1;
    if (step) {
      let next = this.target + step * right;
      if (next === this.word) next += step * right;
      this.aim(next);
    } else if (event.key === "ArrowUp") this.aim(0);
    else if (event.key === "ArrowDown") this.aim(this.view.heads.get(this.word) ?? 0);
    else if (/^[0-9]$/.test(event.key)) this.type(event.key);
    else if (event.key === "Backspace") this.type("");
    else if (event.key === "Enter" || event.key === " ") this.end(this.target);
    else if (event.key === "Escape" || event.key === "Tab") this.end(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The digits of a number, one after the other. */
  type(digit) {
    const longer = digit === "" ? this.typed.slice(0, -1) : this.typed + digit;
    this.typed = Number(longer) <= this.view.words.length ? longer : digit;
    if (this.typed !== "") this.aim(Number(this.typed));
  }

  end(head) {
    this.line.remove();
    this.root.remove();
    for (const marked of this.holder.querySelectorAll(".is-target")) marked.classList.remove("is-target");
    this.done(head);
  }
}

/** Lets words, and arcs for the word they lead to, be dragged onto a head. `pick(word)` makes a HeadPicker. */
export function makeDraggable(holder, pick) {
  let start = null;
  let picker = null;
  holder.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const arc = event.target.closest?.(".arc");
    const word = TreeView.wordOf(event.target) ?? (arc ? Number(arc.dataset.modifier) : null);
    start = word === null ? null : { word, x: event.clientX, y: event.clientY };
  });
  addEventListener("pointermove", (event) => {
    if (!start) return;
    if (!picker && Math.hypot(event.clientX - start.x, event.clientY - start.y) > 6) {
      picker = pick(start.word);
      holder.classList.add("is-dragging");
      getSelection()?.removeAllRanges();
    }
    picker?.follow(event);
  });
  const finish = (event) => {
    const dragged = picker;
    start = picker = null;
    holder.classList.remove("is-dragging");
    if (!dragged) return;
    if (event.type === "pointerup") dragged.follow(event);
    dragged.end(event.type === "pointerup" ? (dragged.over ?? null) : null);
    // The click that ends a drag is no click on a word.
    addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => document.body.click(), 0);
  };
  addEventListener("pointerup", finish);
  addEventListener("pointercancel", finish);
}
