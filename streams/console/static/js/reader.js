// A finished document: picture and text of a page side by side, its outline, what was found in it, and the ways out.

import { ask, documentPath } from "./asking.js";
import { blockElement, markWords } from "./blocks.js";
import { h, say, setText, show } from "./dom.js";
import { count, percent } from "./format.js";
import { outlineElement, Sheet } from "./sheet.js";
import { Strip } from "./strip.js";
import { words } from "./tables.js";

const MARKS = { extracted: "e", recognized: "r", blank: "b", failed: "f" };

export function readerView(root, { key, page, query, go }) {
  const reader = new Reader(root, key, go);
  reader.open(page, query);
  return { stop() { reader.stopped = true; reader.request?.abort(); }, key: (event) => reader.press(event), same: (next) => next.key === key && (reader.open(next.page, next.query), true) };
}

class Reader {
  constructor(root, key, go) {
    this.key = key;
    this.go = go;
    this.places = [];
    this.sheet = new Sheet(key, (id, how) => (how === "click" ? this.focus(id) : this.light(id)));
    this.strip = new Strip((number) => this.turn(number));
    this.title = h("h1", { dir: "auto", text: "Opening …" });
    this.facts = h("p", { class: "facts" });
    this.text = h("section", { class: "text", "aria-label": "Text of the page" });
    this.outline = h("nav", { class: "contents", "aria-label": "Outline" });
    this.number = h("input", { type: "number", min: 1, "aria-label": "Page", on: { change: () => this.turn(Number(this.number.value)) } });
    this.of = h("span");
    this.before = h("button", { type: "button", "aria-label": "Page before", text: "←", on: { click: () => this.step(-1) } });
    this.after = h("button", { type: "button", "aria-label": "Page after", text: "→", on: { click: () => this.step(1) } });
    this.query = h("input", { type: "search", "aria-label": "Find in this document", placeholder: "Find in this document", maxlength: 1000 });
    this.hits = h("span", { role: "status", class: "hits" });
    const form = h("form", { class: "find", on: { submit: (event) => { event.preventDefault(); this.go(this.address(this.page.number, this.query.value.trim())); } } },
      this.query, h("button", { type: "button", "aria-label": "Place before", text: "↑", on: { click: () => this.leap(-1) } }),
      h("button", { type: "button", "aria-label": "Next place", text: "↓", on: { click: () => this.leap(1) } }), this.hits);
    this.ways = h("p", { class: "ways" });
    this.whole = h("button", { type: "button", text: "Whole document", "aria-pressed": "false", on: { click: () => this.toggleWhole() } });
    this.panes = h("div", { class: "panes" }, this.outline, this.sheet.element, this.text);
    this.tabs = h("div", { class: "tabs", role: "group", "aria-label": "What is shown" }, ["page", "text", "outline"].map((name) =>
      h("button", { type: "button", text: name, data: { tab: name }, on: { click: () => this.tab(name) } })));
    show(root, h("div", { class: "reader" }, h("div", { class: "head" }, this.title, this.facts, this.ways),
      h("div", { class: "tools" }, h("div", { class: "turn" }, this.before, this.number, this.of, this.after), form, this.whole), this.strip.element, this.tabs, this.panes));
    this.tab("page");
  }

  async open(page, query) {
    try {
      if (!this.overview) {
        this.overview = await ask(documentPath(this.key));
        this.describe();
      }
      if (query !== this.asked) await this.find(query || "");
      if (this.stopped) return;
      const here = this.places.filter((place) => place.page === page);
      const target = !here.length && this.places.length ? (this.places.find((place) => place.page >= page) || this.places[0]) : here[0];
      await this.showPage(target ? target.page : page, target);
    } catch (error) {
      if (error.name !== "AbortError" && !this.stopped) this.fail(error);
    }
  }

  describe() {
    const { overview } = this;
    document.title = `${overview.filename || "document"} – Pageloom`;
    setText(this.title, overview.filename || overview.document_id);
    const failed = overview.pages.filter((one) => one.status === "failed").length;
    const facts = [overview.status, count(overview.pages.length, "page"), overview.tables ? count(overview.tables, "table") : "", failed ? `${failed} failed` : "", overview.mode];
    setText(this.facts, facts.filter(Boolean).join(" · "));
    show(this.ways, [["markdown", "Markdown"], ["json", "JSON"], ["html", "HTML"]].map(([form, name]) =>
      h("a", { href: documentPath(this.key, `/download/${form}`), download: "", text: name, "aria-label": `Download as ${name}` })));
    setText(this.of, `of ${overview.pages.length}`);
    this.number.max = Math.max(...overview.pages.map((one) => one.number), 1);
    show(this.outline, h("h2", { text: "Outline" }), overview.outline.length ? outlineElement(overview.outline, (number, block) => this.turn(number, block)) : h("p", { class: "note", text: "no headings" }),
      overview.warnings.length ? h("details", { class: "warnings" }, h("summary", { text: count(overview.warnings.length, "warning") }), h("ul", {}, overview.warnings.map((text) => h("li", { text, dir: "auto" })))) : null);
  }

  updateStrip() {
    const { pages } = this.overview;
    const counted = pages.every((one, place) => one.number === place + 1);
    this.strip.current = this.page.number;
    this.strip.update(pages.map((one) => MARKS[one.status] || ".").join(""),
      pages.map((one) => (one.status === "failed" || one.status === "blank" ? " " : Math.min(9, Math.floor(one.confidence * 10)))).join(""), counted ? [] : pages.map((one) => one.number));
  }

  async find(query) {
    this.asked = query;
    this.query.value = query;
    this.places = query ? await ask(documentPath(this.key, `/find?q=${encodeURIComponent(query)}`)) : [];
    setText(this.hits, query ? count(this.places.length, "place") : "");
  }

  async showPage(number, place) {
    this.request?.abort();
    this.request = new AbortController();
    if (!this.page || this.page.number !== number) this.page = await ask(documentPath(this.key, `/pages/${number}`), { signal: this.request.signal });
    if (this.stopped) return;
    this.number.value = number;
    this.sheet.showPage(this.page, this.overview.drawable, this.overview.low_confidence);
    this.panes.classList.toggle("textual", this.sheet.paper.hidden && !this.overview.drawable);
    this.fillText();
    this.updateStrip();
    const numbers = this.overview.pages.map((one) => one.number);
    this.before.disabled = number <= numbers[0];
    this.after.disabled = number >= numbers[numbers.length - 1];
    this.chosen = place || null;
    const here = this.places.filter((one) => one.page === number);
    this.sheet.found(here, place);
    if (place) this.reveal(place);
    if (this.overview.drawable && numbers.includes(number + 1)) new Image().src = documentPath(this.key, `/pages/${number + 1}/image`);
    say(`page ${number}`);
  }

  fillText() {
    const { page } = this;
    const trust = page.status === "failed" ? h("p", { class: "bad", text: page.error }) :
      h("p", { class: `trust${page.confidence < this.overview.low_confidence ? " doubtful" : ""}` }, `${page.status}${page.engine ? ` by ${page.engine}` : ""}, confidence ${percent(page.confidence)}`,
        page.reasons.length ? h("span", { class: "because", text: ` · text layer ${percent(page.text_layer_confidence)}: ${page.reasons.map(words).join(", ")}` }) : null);
    const blocks = page.blocks.map((block) => blockElement(block, {
      key: this.key, page: page.number, lowConfidence: this.overview.low_confidence,
      touch: (cell, on) => this.sheet.touch(cell, on), go: (number) => this.turn(number, block.id),
    }));
    for (const element of blocks) {
      element.addEventListener("pointerenter", () => this.light(element.dataset.block));
      element.addEventListener("pointerleave", () => this.light(null));
      element.addEventListener("focusin", () => this.light(element.dataset.block));
    }
    show(this.text, trust, blocks.length ? blocks : h("p", { class: "note", text: page.status === "blank" ? "a blank page" : "no text on this page" }),
      page.left_out ? h("p", { class: "note", text: `${page.left_out} more blocks are in the downloads` }) : null);
    const hits = new Set(this.places.flatMap((place) => place.excerpt.filter((piece) => piece.hit).map((piece) => piece.text)));
    markWords(this.text, hits);
    this.text.scrollTop = 0;
    this.showOwnRows(page);
  }

  // A table that began on an earlier page is whole here: the rows of this page are what a person looks for.
  showOwnRows(page) {
    const first = page.blocks[0];
    if (!first?.table || !(first.other_pages || []).some((other) => other < page.number)) return;
    const row = [...this.text.querySelectorAll("tr[data-page]")].find((one) => Number(one.dataset.page) === page.number && one.closest("tbody"));
    if (row && this.text.offsetParent) (row.previousElementSibling || row).scrollIntoView({ block: "start", inline: "nearest" });
  }

  block(id) {
    return [...this.text.querySelectorAll(".block")].find((element) => element.dataset.block === id);
  }

  reveal(place) {
    const block = this.block(place.block);
    if (!block) return;
    const cell = place.row === null ? null : block.querySelector(`[data-row="${Number(place.row)}"][data-column="${Number(place.column)}"]`);
    for (const old of this.text.querySelectorAll(".chosen")) old.classList.remove("chosen");
    (cell || block).classList.add("chosen");
    (cell || block).scrollIntoView({ block: "center", inline: "nearest" });
  }

  light(id) {
    this.sheet.light(id);
    for (const element of this.text.querySelectorAll(".block")) element.classList.toggle("lit", id !== null && element.dataset.block === id);
  }

  focus(id) {
    if (getComputedStyle(this.tabs).display !== "none") this.tab("text");
    const block = this.block(id);
    if (block) { block.focus({ preventScroll: true }); block.scrollIntoView({ block: "nearest" }); }
  }

  address(number, query = this.asked) {
    return `#/d/${this.key}/${number}${query ? `?q=${encodeURIComponent(query)}` : ""}`;
  }

  async turn(number, block) {
    if (!this.overview.pages.some((one) => one.number === number)) return;
    history.replaceState(null, "", this.address(number));
    try {
      await this.showPage(number, null);
      if (block) { if (getComputedStyle(this.tabs).display !== "none") this.tab("text"); this.focus(block); }
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
    }
  }

  step(by) {
    const numbers = this.overview.pages.map((one) => one.number);
    const next = numbers[numbers.indexOf(this.page.number) + by];
    if (next !== undefined) this.turn(next);
  }

  async leap(by) {
    if (!this.places.length) return;
    const at = this.places.indexOf(this.chosen);
    const place = this.places[(at + by + this.places.length) % this.places.length];
    setText(this.hits, `${this.places.indexOf(place) + 1} of ${count(this.places.length, "place")}`);
    history.replaceState(null, "", this.address(place.page));
    await this.showPage(place.page, place);
  }

  press(event) {
    if (!this.page) return false;
    const act = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), n: () => this.leap(1), p: () => this.leap(-1), j: () => this.next(1), k: () => this.next(-1) }[event.key];
    if (act) act();
    return Boolean(act);
  }

  next(by) {
    const blocks = [...this.text.querySelectorAll(".block")];
    const at = blocks.findIndex((element) => element === document.activeElement.closest?.(".block"));
    const target = blocks[Math.min(blocks.length - 1, Math.max(0, at + by))];
    if (target) target.focus();
  }

  tab(name) {
    this.panes.dataset.tab = name;
    for (const button of this.tabs.children) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
    if (name !== "text" || !this.page) return;
    if (this.chosen) this.reveal(this.chosen);
    else this.showOwnRows(this.page);
  }

  toggleWhole() {
    const on = this.whole.getAttribute("aria-pressed") !== "true";
    this.whole.setAttribute("aria-pressed", String(on));
    this.frame?.remove();
    this.frame = null;
    this.panes.hidden = on;
    if (!on) return;
    // Our own rendering, inert by its policy; the sandbox gives it an origin of its own and no scripts.
    this.frame = h("iframe", { class: "whole", sandbox: "", src: documentPath(this.key, "/preview"), title: "the whole document" });
    this.panes.after(this.frame);
  }

  fail(error) {
    if (!this.overview) setText(this.title, "Cannot be opened");
    show(this.text, h("p", { class: "bad", text: error.message }));
    this.tab("text");
  }
}
