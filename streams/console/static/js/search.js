// What is found in all documents: excerpts with the words marked; each leads to its page and box.

import { ask } from "./asking.js";
import { h, setText, show } from "./dom.js";
import { count } from "./format.js";

export function searchView(root, { query }) {
  const status = h("p", { class: "note", role: "status", text: "searching …" });
  const list = h("ol", { class: "found-list" });
  show(root, h("h1", { text: query ? `“${query}”` : "Search" }), status, list);
  let stopped = false;
  run();
  return { stop() { stopped = true; } };

  async function run() {
    if (!query) { setText(status, "Type words into the field above; “a phrase”, -not, a OR b, filename:report, type:table and page:3..7 are understood."); return; }
    try {
      const { hits, problems } = await ask(`/api/search?q=${encodeURIComponent(query)}`);
      if (stopped) return;
      setText(status, [hits.length ? count(hits.length, "place") : "nothing found", ...problems].join("; "));
      show(list, hits.map((hit) => item(hit, query)));
    } catch (error) {
      if (!stopped) setText(status, error.message);
    }
  }
}

function item(hit, query) {
  const where = hit.page ? `page ${hit.page}` : "";
  const path = hit.heading_path.join(" › ");
  return h("li", {},
    h("a", { href: `#/d/${hit.key}/${hit.page || 1}?q=${encodeURIComponent(query)}` },
      h("strong", { text: hit.filename, dir: "auto" }), h("span", { class: "where", text: where }),
      path ? h("span", { class: "path", text: path, dir: "auto" }) : null,
      h("span", { class: "excerpt", dir: "auto" }, hit.excerpt.map((piece) => (piece.hit ? h("mark", { text: piece.text }) : piece.text)))));
}
