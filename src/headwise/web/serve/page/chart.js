// Eisner's chart, filled step by step. The server says what is filled when, from which parts, and what else there was.
import { ask } from "/static/asking.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 64; // of a cell, and of a word
const HEIGHT = 40;
const PAUSE = 900; // milliseconds between steps

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** A span as the textbooks draw it: closed ones are triangles, open ones trapezoids; the tall side is the head. */
function spanPath(kind, headIsLeft, x, y, width, height) {
  const low = kind === "open" ? height * 0.45 : 2;
  const [left, right] = headIsLeft ? [height, low] : [low, height];
  return `M${x} ${y + height}V${y + height - left}L${x + width} ${y + height - right}V${y + height}Z`;
}

const shown = (score) => (score === null ? "−∞" : score.toFixed(2).replace("-", "−"));

export class ChartLesson {
  constructor(place, button) {
    this.place = place;
    this.button = button;
    this.timer = null;
    button.addEventListener("click", () => this.toggle());
  }

  /** Another sentence. */
  async reset(words, model) {
    this.stop();
    this.words = words;
    this.model = model;
    if (!this.place.hidden) await this.open();
  }

  async toggle() {
    if (!this.place.hidden) {
      this.stop();
      this.place.hidden = true;
    } else {
      await this.open();
    }
    this.button.setAttribute("aria-expanded", String(!this.place.hidden));
    this.button.textContent = this.place.hidden ? "Fill Eisner’s chart" : "Hide the chart";
  }

  async open() {
    this.place.hidden = false;
    try {
      this.chart = await ask("/api/chart", { sentences: [this.words], model: this.model });
    } catch (error) {
      const problem = document.createElement("p");
      problem.className = "message error";
      problem.textContent = error.message;
      this.place.replaceChildren(problem);
      return;
    }
    this.last = this.chart.steps.length + (this.chart.root === null ? 0 : 1);
    this.build();
    this.go(0);
  }

  build() {
    this.place.innerHTML = `
      <div class="row controls" role="group" aria-label="Steps">
        <button type="button" data-go="first" aria-label="To the start">⏮</button>
        <button type="button" data-go="back" aria-label="One step back">◀</button>
        <button type="button" data-go="play" class="primary" aria-label="Play">▶ Play</button>
        <button type="button" data-go="forward" aria-label="One step forward">▶</button>
        <button type="button" data-go="last" aria-label="To the end">⏭</button>
        <input type="range" min="0" aria-label="Step">
        <span class="number quiet count"></span>
      </div>
      <div class="lesson">
        <div class="scroller" tabindex="0" role="region" aria-label="Chart"></div>
        <div class="explained" aria-live="polite"></div>
      </div>
      <p class="quiet legend"></p>`;
    this.slider = this.place.querySelector("input");
    this.slider.max = String(this.last);
    this.slider.addEventListener("input", () => {
      this.stop();
      this.go(Number(this.slider.value));
    });
    const goes = {
      first: () => this.go(0),
      back: () => this.go(this.step - 1),
      forward: () => this.go(this.step + 1),
      last: () => this.go(this.last),
    };
    for (const button of this.place.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => {
        if (button.dataset.go === "play") return this.play();
        this.stop();
        goes[button.dataset.go]();
      });
    }
    this.draw();
    this.legend();
  }

  /** The empty chart: a cell for every stretch of words, with a place for each of its four spans. */
  draw() {
    const { first, words, steps } = this.chart;
    const nodes = words.length + 1 - first;
    this.levels = nodes - 1;
    const width = Math.max(nodes * WIDTH + 16, 240);
    this.base = this.levels * HEIGHT + 14;
    this.depth = 20 + Math.min(nodes, 12) * 7;
    const height = this.base + 26 + this.depth;
    this.svg = shape("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    this.cells = new Map();
    this.items = [];
    for (const [number, step] of steps.entries()) {
      const { left, right, kind, head } = step;
      const key = `${left}-${right}`;
      const x = this.x((left + right) / 2) - WIDTH / 2;
      const y = this.base - (right - left) * HEIGHT;
      if (!this.cells.has(key)) {
        const cell = shape("rect", { class: "cell", x: x + 2, y: y + 2, width: WIDTH - 4, height: HEIGHT - 4, rx: 5 });
        this.cells.set(key, cell);
        this.svg.append(cell);
      }
      const isLeft = head === left;
      const item = shape("path", {
        class: "item",
        d: spanPath(kind, isLeft, x + (isLeft ? 8 : WIDTH / 2 + 3), y + (kind === "open" ? 5 : HEIGHT / 2 + 1), WIDTH / 2 - 11, HEIGHT / 2 - 7),
      });
      item.append(shape("title", {}, this.name(step)));
      item.addEventListener("click", () => {
        this.stop();
        this.go(number + 1);
      });
      this.items.push(item);
      this.svg.append(item);
    }
    this.names = [];
    for (let node = first; node <= words.length; node++) {
      const text = this.form(node);
      const word = shape("text", { class: "word", x: this.x(node), y: this.base + 18 }, text.length > 9 ? `${text.slice(0, 8)}…` : text);
      word.append(shape("title", {}, text));
      this.names[node] = word;
      this.svg.append(word);
    }
    this.links = shape("g", {});
    this.svg.append(this.links);
    this.place.querySelector(".scroller").replaceChildren(this.svg);
  }

  x(node) {
    return 8 + (node - this.chart.first + 0.5) * WIDTH;
  }
  form(node) {
    return node === 0 ? "root" : this.chart.words[node - 1];
  }
  name({ kind, left, right, head }) {
    return `${kind} span from ${this.form(left)} to ${this.form(right)}, head ${this.form(head)}`;
  }

  play() {
    if (this.timer !== null) return this.stop();
    if (this.step === this.last) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.step + 1);
      if (this.step === this.last) this.stop();
    }, PAUSE);
    this.playing(true);
  }
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playing(false);
  }
  playing(yes) {
    const button = this.place.querySelector("[data-go=play]");
    if (!button) return;
    button.textContent = yes ? "❚❚ Pause" : "▶ Play";
    button.setAttribute("aria-label", yes ? "Pause" : "Play");
  }

  /** Shows the chart after so many steps. */
  go(step) {
    this.step = Math.max(0, Math.min(this.last, step));
    const { steps } = this.chart;
    const now = this.step ? steps[this.step - 1] : undefined;
    const isRoot = this.step > steps.length;
    const used = isRoot ? this.rootParts() : (now?.parts ?? []);
    for (const [number, item] of this.items.entries()) {
      const { kind, score } = steps[number];
      const classes = ["item"];
      if (number < this.step) classes.push("filled", kind);
      if (number < this.step && score === null) classes.push("impossible");
      if (number === this.step - 1) classes.push("now");
      if (used.includes(number)) classes.push("used");
      item.setAttribute("class", classes.join(" "));
    }
    const keys = used.filter((number) => number >= 0).map((number) => `${steps[number].left}-${steps[number].right}`);
    for (const [key, cell] of this.cells)
      cell.setAttribute("class", `cell${now && key === `${now.left}-${now.right}` ? " here" : ""}${keys.includes(key) ? " part" : ""}`);
    for (const [node, word] of this.names.entries()) {
      if (!word) continue;
      const inside = isRoot || (now && node >= now.left && node <= now.right);
      word.setAttribute("class", `word ${inside ? "inside" : now ? "outside" : ""}`);
    }
    this.drawArcs(isRoot, now);
    this.slider.value = String(this.step);
    this.place.querySelector(".count").textContent = `${this.step} of ${this.last}`;
    for (const [name, off] of [["first", 0], ["back", 0], ["forward", this.last], ["last", this.last]])
      this.place.querySelector(`[data-go=${name}]`).disabled = this.step === off;
    this.svg.setAttribute("aria-label", `Eisner’s chart, ${Math.min(this.step, steps.length)} of ${steps.length} spans filled`);
    this.explain(isRoot, now);
    if (now && this.timer === null) this.reveal(now);
  }

  rootParts() {
    const { steps, root, words } = this.chart;
    return [
      steps.findIndex((s) => s.kind === "closed" && s.left === 1 && s.right === root && s.head === root),
      steps.findIndex((s) => s.kind === "closed" && s.left === root && s.right === words.length && s.head === root),
    ];
  }

  /** Scrolls sideways until the cell is in sight. */
  reveal({ left, right }) {
    const box = this.place.querySelector(".scroller");
    const x = this.x((left + right) / 2);
    if (x < box.scrollLeft + WIDTH || x > box.scrollLeft + box.clientWidth - WIDTH) box.scrollLeft = x - box.clientWidth / 2;
  }

  /** The arcs of the span: its own, which is new, and those of its parts. */
  arcs(number) {
    if (number < 0) return [];
    const { arc, parts } = this.chart.steps[number];
    return [...(arc ? [arc] : []), ...parts.flatMap((part) => this.arcs(part))];
  }

  drawArcs(isRoot, now) {
    const numbers = isRoot ? this.rootParts() : now ? [this.step - 1] : [];
    const arcs = numbers.flatMap((number) => this.arcs(number));
    const own = isRoot ? null : now?.arc;
    this.links.replaceChildren();
    const y = this.base + 26;
    if (isRoot) {
      const x = this.x(this.chart.root);
      this.links.append(
        shape("path", { class: "link new", d: `M${x} ${y + this.depth - 10}V${y + 8}` }),
        shape("path", { class: "tip new", d: `M${x} ${y}l-4 8h8z` }),
      );
    }
    for (const [head, modifier] of arcs) {
      const isNew = own && own[0] === head && own[1] === modifier ? " new" : "";
      const side = head < modifier ? 1 : -1;
      const from = this.x(head) + side * 5;
      const to = this.x(modifier) - side * 5;
      const low = y + 12 + Math.min(Math.abs(modifier - head), 12) * 8;
      this.links.append(
        shape("path", { class: `link${isNew}`, d: `M${from} ${y}C${from} ${low + 6} ${to} ${low + 6} ${to} ${y + 7}` }),
        shape("path", { class: `tip${isNew}`, d: `M${to} ${y}l-4 8h8z` }),
      );
    }
  }

  explain(isRoot, now) {
    const place = this.place.querySelector(".explained");
    if (isRoot) return place.replaceChildren(...this.aboutRoot());
    if (!now) {
      place.innerHTML = "<p>The chart is empty. Every word alone is a closed span, which scores 0. Press <b>Play</b>, or take one step forward.</p>";
      return;
    }
    const { kind, left, right, head, arc, splits, split, score } = now;
    const title = document.createElement("p");
    title.append(`Step ${this.step}: the best `, bold(`${kind} span`), ` from `, bold(this.form(left)), ` to `, bold(this.form(right)), ` with head `, bold(this.form(head)), ".");
    const how = document.createElement("p");
    how.className = "quiet";
    how.textContent = arc
      ? `Two closed spans that meet are joined by the arc ${this.form(arc[0])} → ${this.form(arc[1])}, whose score, the logarithm of its probability, is ${shown(this.chart.scores[arc[0]][arc[1]])}.`
      : "An open span, which has just got its arc, and a closed one that completes it meet at a word.";
    const rows = splits.map(([at, total]) => [arc ? `${this.form(at)} | ${this.form(at + 1)}` : `at ${this.form(at)}`, total, at === split]);
    place.replaceChildren(title, how, table(arc ? "Meeting between" : "Meeting", rows));
    if (score === null) {
      const never = document.createElement("p");
      never.className = "quiet";
      never.textContent = "No way has a probability above zero.";
      place.append(never);
    }
  }

  aboutRoot() {
    const { roots, root, heads, parsed, score } = this.chart;
    const title = document.createElement("p");
    title.append(`Step ${this.step}: the root. Every word may be it, with what stands left and right of it. The best is `, bold(this.form(root)), ".");
    const rows = roots.map(([word, total]) => [this.form(word), total, word === root]);
    const end = document.createElement("p");
    const same = heads.every((head, m) => head === parsed[m]);
    end.className = "quiet";
    end.textContent =
      `The tree has the score ${shown(score)}. ` +
      (same ? "It is the parser’s best tree." : "The parser, which also scores larger parts, prefers another one.");
    return [title, table("Root", rows), end];
  }

  legend() {
    const place = this.place.querySelector(".legend");
    for (const [kind, what] of [["open", "open: has just got an arc"], ["closed", "closed: its head has all it gets on this side"]]) {
      const picture = shape("svg", { class: "chart", width: 24, height: 16, "aria-hidden": "true" });
      picture.append(shape("path", { class: `item filled ${kind}`, d: spanPath(kind, true, 1, 1, 22, 14) }));
      const entry = document.createElement("span");
      entry.append(picture, what);
      place.append(entry);
    }
    const side = document.createElement("span");
    side.textContent = "The tall side is the head.";
    place.append(side);
  }
}

function bold(text) {
  const made = document.createElement("b");
  made.textContent = text;
  return made;
}

function table(name, rows) {
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const [text, className] of [[name, ""], ["Score", "number"]]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.className = className;
    cell.textContent = text;
    head.append(cell);
  }
  const body = made.createTBody();
  for (const [text, score, isBest] of rows) {
    const row = body.insertRow();
    if (isBest) row.className = "best";
    row.insertCell().textContent = text;
    const number = row.insertCell();
    number.className = "number";
    number.textContent = shown(score) + (isBest ? " ✓" : "");
  }
  return made;
}
