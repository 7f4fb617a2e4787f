// The blocks of a page as elements, in reading order. Everything a document says is text here; links are shown, and lead out only by a person's click.

import { documentPath } from "./asking.js";
import { h } from "./dom.js";
import { percent } from "./format.js";
import { tableElement } from "./tables.js";

// What is said of a block beside it, where its look does not.
const NAMES = {
  figure: "figure", equation: "equation", caption: "caption", footnote: "footnote", code: "code", form_field: "form field",
  page_header: "page header", page_footer: "page footer", annotation: "annotation",
};
const SAFE_LINK = /^(https?:|mailto:)/i;

export function blockElement(block, { key, page, lowConfidence, touch, go }) {
  const low = block.confidence < lowConfidence;
  const element = h("div", { class: `block ${block.type}${low ? " low" : ""}`, tabindex: 0, data: { block: block.id } }, content(block, { key, page, touch, go }));
  const notes = [];
  if (low) notes.push(h("span", { class: "doubt", text: `confidence ${percent(block.confidence)}` }));
  for (const other of block.table ? [] : block.other_pages || []) notes.push(h("button", { type: "button", class: "link", text: `also on page ${other}`, on: { click: () => go(other) } }));
  const links = (block.links || []).filter(([, target]) => SAFE_LINK.test(target)).slice(0, 20);
  for (const [text, target] of links) notes.push(h("a", { href: target, rel: "noopener noreferrer", target: "_blank", text: `${text || target} ↗`, title: target }));
  if (NAMES[block.type]) element.prepend(h("span", { class: "kind", text: NAMES[block.type] }));
  if (notes.length) element.append(h("p", { class: "notes" }, notes));
  return element;
}

function content(block, { key, page, touch, go }) {
  const text = block.text || "";
  switch (block.type) {
    case "heading": return h(`h${Math.min(6, 2 + (block.level || 1))}`, { text, dir: "auto", class: `level${Math.min(4, block.level || 1)}` });
    case "table": return block.table ? tableElement(block.table, page, { touch, go }) : h("p", { text, dir: "auto" });
    case "code": return h("pre", { text, tabindex: 0 });
    case "list_item": return h("p", { text, dir: "auto", class: `item depth${Math.min(6, block.list_depth || 0)}` });
    case "form_field": return block.field ? h("p", {}, h("span", { class: "label", text: `${block.field[0]}: ` }), h("strong", { text: block.field[1] || "—", dir: "auto" })) : h("p", { text });
    case "figure":
    case "equation": return figure(block, key, text);
    default: return h("p", { text, dir: "auto" });
  }
}

function figure(block, key, text) {
  if (!block.figure) return h("p", { text, dir: "auto" });
  const picture = h("img", { src: documentPath(key, `/figure?name=${encodeURIComponent(block.figure)}`), alt: text || block.type, loading: "lazy" });
  return h("figure", {}, picture, text ? h("details", {}, h("summary", { text: "its text" }), h("p", { text, dir: "auto" })) : null);
}

// Wraps every occurrence of some exact strings in <mark>, in the text below an element.
export function markWords(element, words) {
  const sorted = [...words].filter(Boolean).sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!sorted.length) return;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${sorted.join("|")})(?![\\p{L}\\p{N}_])|(?:${sorted.filter((word) => /[^\x00-\u024f]/.test(word)).join("|") || "(?!)"})`, "gu");
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".kind, .notes, .note, .seam")) texts.push(walker.currentNode);
  for (const node of texts) {
    const parts = [];
    let at = 0;
    for (const found of node.data.matchAll(pattern)) {
      parts.push(node.data.slice(at, found.index), h("mark", { text: found[0] }));
      at = found.index + found[0].length;
    }
    if (parts.length) node.replaceWith(...parts, node.data.slice(at));
  }
}
