// The first view: files go in at the top, documents stand below, newest first, those under way before the others.

import { documentPath, send } from "./asking.js";
import { h, say, setText, show } from "./dom.js";
import { ago, count, seconds, STAGES } from "./format.js";
import { listen, live } from "./live.js";
import { Strip } from "./strip.js";

const UNDER_WAY = new Set(["submitted", "opened", "reading", "finishing"]);

export function documentsView(root, { about, uploads, go }) {
  const list = h("ol", { class: "cards", "aria-label": "Documents" });
  const empty = h("p", { class: "empty" });
  const notes = h("div", { class: "refused" });
  const sending = h("p", { class: "sending", role: "status" });
  show(root, h("h1", { class: "unseen", text: "Documents" }), dropzone(about, uploads), sending, notes, legend(), list, empty);
  const shown = new Map();

  function update() {
    const cards = [...live.cards.values()].sort((a, b) => UNDER_WAY.has(b.stage) - UNDER_WAY.has(a.stage) || b.began_ms - a.began_ms);
    for (const [key, card] of shown) if (!live.cards.has(key)) { card.element.remove(); shown.delete(key); }
    cards.forEach((card, place) => {
      let item = shown.get(card.key);
      if (!item) shown.set(card.key, (item = new CardItem(card.key, go)));
      item.update(card);
      if (list.children[place] !== item.element) list.insertBefore(item.element, list.children[place] || null);
    });
    setText(empty, cards.length ? "" : live.told ? "No documents yet. Drop a file above, or publish one to documents.ingest." : "Asking Kafka …");
  }

  function updateUploads() {
    const left = uploads.waiting.length + uploads.sending;
    setText(sending, left ? `sending ${count(left, "file")} …` : "");
    show(notes, uploads.refused.map(({ name, reason }) => h("p", {}, h("strong", { text: name, dir: "auto" }), ` was not sent: ${reason}`)));
  }

  uploads.changed = updateUploads;
  updateUploads();
  update();
  const stop = listen((what) => what === "documents" && update());
  const clock = setInterval(update, 5000);
  return { stop() { stop(); clearInterval(clock); uploads.changed = () => {}; } };
}

function dropzone(about, uploads) {
  const input = h("input", { type: "file", multiple: true, id: "files" });
  const mode = h("select", { id: "mode" },
    h("option", { value: "fast", text: "fast: recognize pages whose text cannot be trusted" }),
    h("option", { value: "balanced", text: "balanced: look at the layout of every page" }),
    h("option", { value: "disable_ocr", text: "text layer only" }));
  const engine = h("select", { id: "engine" }, h("option", { value: "", text: "as configured" }), about.engines.map((name) => h("option", { value: name, text: name })));
  const pages = h("input", { id: "pages", placeholder: "all, or 1-20,25", autocomplete: "off" });
  const password = h("input", { id: "password", type: "password", autocomplete: "new-password" });
  const join = h("input", { id: "join", type: "checkbox", checked: true });
  const options = () => ({ mode: mode.value, engine: engine.value || null, pages: pages.value.trim() || null, password: password.value || null, join_tables: join.checked });
  const add = (files) => { if (files.length) { uploads.add(files, options()); say(`${count(files.length, "file")} added`); } };
  input.addEventListener("change", () => { add(input.files); input.value = ""; });
  const zone = h("form", { class: "drop", "aria-label": "Add documents", on: { submit: (event) => event.preventDefault() } },
    h("label", { class: "choose", for: "files" }, h("strong", { text: "Choose files" }), " or drop them here",
      h("small", { text: "PDF, pictures, Office, EPUB, HTML, Markdown, e-mail, CSV, text" })),
    input,
    h("div", { class: "how" }, h("label", { for: "mode", text: "Mode" }), mode,
      h("details", {}, h("summary", { text: "More" }),
        h("div", { class: "more" },
          h("label", { for: "engine", text: "Engine" }), engine,
          h("label", { for: "pages", text: "Pages" }), pages,
          h("label", { for: "password", text: "Password" }), password,
          h("label", { for: "join", text: "Join tables over pages" }), join))));
  const over = (event) => { event.preventDefault(); zone.classList.add("over"); };
  zone.addEventListener("dragenter", over);
  zone.addEventListener("dragover", over);
  zone.addEventListener("dragleave", (event) => { if (!zone.contains(event.relatedTarget)) zone.classList.remove("over"); });
  zone.addEventListener("drop", (event) => { event.preventDefault(); zone.classList.remove("over"); add(event.dataTransfer.files); });
  return zone;
}

function legend() {
  const item = (look, text) => h("span", {}, h("i", { class: look }), text);
  return h("p", { class: "legend", "aria-hidden": "true" },
    item("mw", "waiting"), item("mq t2", "at a model"), item("me t9", "trusted"), item("me t5", "doubtful"), item("me t1", "not trusted"),
    item("mr t9", "recognized"), item("mb", "blank"), item("mf", "failed"));
}

class CardItem {
  constructor(key, go) {
    this.key = key;
    this.title = h("a", { dir: "auto" });
    this.stage = h("span", { class: "stage" });
    this.meta = h("p", { class: "meta" });
    this.reason = h("p", { class: "reason" });
    this.pages = h("ul", { class: "page-reasons" });
    this.cancel = h("button", { type: "button", text: "Cancel", on: { click: () => this.act("cancel") } });
    this.replay = h("button", { type: "button", text: "Try again", on: { click: () => this.act("replay") } });
    this.strip = new Strip((page) => go(`#/d/${key}/${page}`));
    this.bar = h("progress", { max: 1, value: 0 });
    this.element = h("li", { class: "card" },
      h("div", { class: "line" }, h("h2", {}, this.title), this.stage, h("span", { class: "acts" }, this.cancel, this.replay)),
      this.meta, this.strip.element, this.bar, this.reason, this.pages);
  }

  update(card) {
    const ended = !UNDER_WAY.has(card.stage);
    const readable = card.stage === "complete" || card.stage === "partial";
    setText(this.title, card.filename);
    if (readable) this.title.href = `#/d/${this.key}/${card.numbers[0] || 1}`;
    else this.title.removeAttribute("href");
    setText(this.stage, card.code === "cancelled" ? "cancelled" : STAGES[card.stage] || card.stage);
    this.stage.className = `stage ${card.code === "cancelled" ? "cancelled" : card.stage}`;
    this.element.classList.toggle("ended", ended);
    setText(this.meta, metaOf(card, ended));
    if (card.marks) this.strip.update(card.marks, card.trust, card.numbers);
    this.strip.element.hidden = !card.marks;
    this.bar.hidden = Boolean(card.marks) || ended;
    this.bar.setAttribute("aria-label", "pages done");
    if (card.pages) { this.bar.max = card.pages; this.bar.value = card.settled; } else this.bar.removeAttribute("value");
    setText(this.reason, card.code && card.code !== "cancelled" ? card.reason : "");
    const reasons = card.page_reasons.map(({ page, reason }) => `page ${page}: ${reason}`);
    if (this.pages.childElementCount !== reasons.length) show(this.pages, reasons.map((text) => h("li", { text })));
    this.cancel.hidden = ended;
    this.cancel.setAttribute("aria-label", `Cancel ${card.filename}`);
    this.replay.hidden = card.stage !== "failed" && card.stage !== "partial";
    this.replay.setAttribute("aria-label", `Try ${card.filename} again`);
  }

  async act(what) {
    const button = what === "cancel" ? this.cancel : this.replay;
    button.disabled = true;
    try {
      await send(documentPath(this.key, `/${what}`));
      say(what === "cancel" ? "cancelling" : "published again");
    } catch (error) {
      setText(this.reason, error.message);
    }
    button.disabled = false;
  }
}

function metaOf(card, ended) {
  if (!card.pages) return ended ? ago(card.ended_ms || card.began_ms) : "waiting to be opened";
  if (ended) {
    const took = card.ended_ms ? (card.ended_ms - card.began_ms) / 1000 : 0;
    const pace = took > 0 && card.stage !== "failed" ? `, in ${seconds(took)}` : "";
    return `${count(card.pages, "page")}${pace} · ${ago(card.ended_ms || card.began_ms)}`;
  }
  const left = card.pages - card.settled;
  const pace = card.rate > 0 && left ? ` · ${card.rate.toFixed(1)} pages/s · about ${seconds(left / card.rate)} left` : "";
  return `${card.settled.toLocaleString()} of ${count(card.pages, "page")}${pace}`;
}
