// Trees on a page. The server draws them (headwise.display, as `headwise show` does) and says so in SVG; here they
// become something to point at and to walk through: left and right along the words, up to the head, down to the
// first modifier. Words carry data-word, arcs data-head and data-modifier, all counted from 1.

/**
 * Puts a drawing into an element and returns the TreeView of it.
 *
 * options.onWord(word, how) is called when a word is looked at (how: "focus" or "hover") and with null when none is;
 * options.onChoose(word) when it is clicked or chosen with Enter or Space.
 * options.labels: what a screen reader says of each word; by default what the drawing says of its arc.
 */
export function showTree(element, svg, options = {}) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (parsed.querySelector("parsererror")) throw new Error("The drawing cannot be read.");
  // Listeners are on a box around the drawing: Chromium puts the focus on an SVG that listens to it.
  const box = document.createElement("div");
  box.append(document.importNode(parsed.documentElement, true));
  element.replaceChildren(box);
  return new TreeView(box, options);
}

export class TreeView {
  constructor(box, { onWord, onChoose, labels } = {}) {
    this.box = box;
    this.svg = box.firstElementChild;
    this.words = [...box.querySelectorAll("[data-word]")];
    this.arcs = [...box.querySelectorAll(".arc:not(.alternative):not(.gold)")];
    this.heads = new Map(this.arcs.map((arc) => [Number(arc.dataset.modifier), Number(arc.dataset.head)]));
    this.current = null;
    this._onWord = onWord;
    this._onChoose = onChoose;
    this._describe(labels);
    this._listen();
  }

  /** The element of a word, and of the arc to it. */
  word(number) {
    return this.words[number - 1];
  }
  arc(number) {
    return this.arcs.find((arc) => Number(arc.dataset.modifier) === number);
  }
  modifiers(number) {
    return [...this.heads].filter(([, head]) => head === number).map(([modifier]) => modifier);
  }

  /** The number of the word that an event is about, or null: for pages that drag and drop. */
  static wordOf(target) {
    const found = target?.closest?.("[data-word]");
    return found ? Number(found.dataset.word) : null;
  }

  /** Marks a word and its arc; null marks none. */
  mark(number, how = "focus") {
    if (number === this.current) return;
    for (const marked of this.svg.querySelectorAll(".is-current")) marked.classList.remove("is-current");
    this.current = number;
    if (number !== null) {
      this.word(number)?.classList.add("is-current");
      this.arc(number)?.classList.add("is-current");
    }
    this._onWord?.(number, how);
  }

  /** Moves the keyboard's focus to a word. */
  focus(number) {
    const target = this.word(number);
    if (!target) return;
    for (const word of this.words) word.setAttribute("tabindex", word === target ? "0" : "-1");
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  _describe(labels) {
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-roledescription", "dependency tree");
    for (const [index, word] of this.words.entries()) {
      const said = labels?.[index] ?? this.arc(index + 1)?.querySelector("title")?.textContent ?? word.textContent;
      word.setAttribute("role", this._onChoose ? "button" : "img");
      word.setAttribute("aria-label", said);
      word.setAttribute("tabindex", index === 0 ? "0" : "-1");
      for (const part of word.children) part.setAttribute("aria-hidden", "true");
    }
    for (const arc of this.arcs) arc.setAttribute("aria-hidden", "true");
  }

  _listen() {
    this.box.addEventListener("focusin", (event) => this.mark(TreeView.wordOf(event.target), "focus"));
    this.box.addEventListener("focusout", (event) => {
      if (!this.box.contains(event.relatedTarget)) this.mark(null, "focus");
    });
    this.box.addEventListener("pointerover", (event) => {
      const arc = event.target.closest?.(".arc:not(.alternative):not(.gold)");
      const word = TreeView.wordOf(event.target) ?? (arc ? Number(arc.dataset.modifier) : null);
      if (word !== null) this.mark(word, "hover");
    });
    this.box.addEventListener("pointerleave", () => {
      const focused = TreeView.wordOf(document.activeElement);
      this.mark(this.box.contains(document.activeElement) ? focused : null, "hover");
    });
    this.box.addEventListener("click", (event) => {
      const word = TreeView.wordOf(event.target);
      if (word !== null) this.focus(word);
      if (word !== null) this._onChoose?.(word);
    });
    this.box.addEventListener("keydown", (event) => this._key(event));
  }

  _key(event) {
    const word = TreeView.wordOf(event.target);
    if (word === null || event.ctrlKey || event.altKey || event.metaKey) return;
    if ((event.key === "Enter" || event.key === " ") && this._onChoose) {
      event.preventDefault();
      this._onChoose(word);
      return;
    }
    const rightToLeft = this.words.length > 1 && _middle(this.words[0]) > _middle(this.words.at(-1));
    const step = rightToLeft ? -1 : 1;
    const next = {
      ArrowRight: () => word + step,
      ArrowLeft: () => word - step,
      ArrowUp: () => this.heads.get(word),
      ArrowDown: () => this.modifiers(word)[0],
      Home: () => 1,
      End: () => this.words.length,
    }[event.key]?.();
    if (next === undefined) return;
    event.preventDefault();
    this.focus(Math.max(1, Math.min(this.words.length, next || word)));
  }
}

function _middle(element) {
  const box = element.getBoundingClientRect();
  return (box.left + box.right) / 2;
}
