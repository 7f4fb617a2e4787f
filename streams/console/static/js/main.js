// Starts the page: the views by their address, the search field, keys, the theme, and the stream of what happens.

import { ask } from "./asking.js";
import { h, setText, show } from "./dom.js";
import { documentsView } from "./documents.js";
import { connect, listen, live } from "./live.js";
import { pipelineView } from "./pipeline.js";
import { readerView } from "./reader.js";
import { searchView } from "./search.js";
import { Uploads } from "./uploads.js";

const main = document.getElementById("main");
const searchField = document.querySelector("#search input");
const uploads = new Uploads(() => {});
let about = { engines: [], max_bytes: Infinity };
let view = { stop() {} };
let begun = false;
const TITLES = { pipeline: "Pipeline", search: "Search" };

function go(address) {
  if (location.hash === address) route();
  else location.hash = address;
}

function route() {
  const [path, rest = ""] = location.hash.replace(/^#/, "").split("?");
  const query = new URLSearchParams(rest).get("q") || "";
  const parts = path.split("/").filter(Boolean).map(decoded);
  const wanted = parts[0] === "d" ? { key: parts[1] || "", page: Number(parts[2]) || 1, query, go } : null;
  if (wanted && view.same?.(wanted)) return;
  view.stop();
  main.replaceChildren();
  const name = wanted ? "reader" : parts[0] === "search" || parts[0] === "pipeline" ? parts[0] : "documents";
  document.title = name === "documents" ? "Pageloom" : `${TITLES[name] || "Document"} – Pageloom`;
  document.body.dataset.view = name;
  for (const link of document.querySelectorAll("nav [data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (wanted) view = readerView(main, wanted);
  else if (name === "search") { searchField.value = query; view = searchView(main, { query }); }
  else if (name === "pipeline") view = pipelineView(main);
  else view = documentsView(main, { about, uploads, go });
  window.scrollTo(0, 0);
  // What had the focus may be gone with the view before: keys and screen readers go on with the new one, not at the top of the page.
  if (document.activeElement === document.body && begun) main.focus({ preventScroll: true });
  begun = true;
}

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  if (event.key === "/") { event.preventDefault(); searchField.focus(); searchField.select(); return; }
  if (event.key === "?") { document.getElementById("help").showModal(); return; }
  if (event.target.closest(".scroll") && event.key.startsWith("Arrow")) return;
  if (view.key?.(event)) event.preventDefault();
}

function theme() {
  let kept = null;
  try { kept = localStorage.getItem("pageloom-theme"); } catch { /* a browser that keeps nothing */ }
  const set = (name) => { if (name) document.documentElement.dataset.theme = name; };
  set(kept);
  document.getElementById("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--is-dark").trim() === "1";
    set(dark ? "light" : "dark");
    try { localStorage.setItem("pageloom-theme", document.documentElement.dataset.theme); } catch { /* as above */ }
  });
}

function kafka() {
  const status = document.getElementById("kafka");
  const known = { true: ["Kafka answers", "on"], false: ["Kafka does not answer", "off"], null: ["console away", "off"] };
  listen((what) => {
    if (what !== "kafka") return;
    const [text, look] = known[String(live.kafka)];
    setText(status, text);
    status.className = `pulse ${look}`;
  });
}

document.getElementById("search").addEventListener("submit", (event) => { event.preventDefault(); go(`#/search?q=${encodeURIComponent(searchField.value.trim())}`); });
document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
// A file that misses the field must not take the place of the page.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
window.addEventListener("hashchange", route);
document.addEventListener("keydown", keys);
theme();
kafka();
try {
  about = await ask("/api/about");
  uploads.maxBytes = about.max_bytes;
  connect();
  route();
} catch (error) {
  show(main, h("p", { class: "bad", text: error.message }));
}
