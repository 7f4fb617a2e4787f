// A table whole, as it was joined over its pages: header, rows, and a seam with the join's reasons wherever the page changes.

import { h } from "./dom.js";
import { percent } from "./format.js";

const REASONS_SHOWN = 12;

// `touch(cell, on)` lights a cell on the page; `go(page)` leads there.
export function tableElement(table, page, { touch, go }) {
  const rows = Array.from({ length: table.rows }, () => []);
  for (const cell of table.cells) if (rows[cell.row]) rows[cell.row].push(cell);
  const element = h("table", {});
  const head = h("thead");
  const body = h("tbody");
  let at = null;
  rows.forEach((cells, number) => {
    const isHead = number < table.header_rows;
    const rowPage = cells.length ? Math.min(...cells.map((cell) => cell.page)) : at;
    if (at !== null && rowPage !== at && !isHead) body.append(seam(table, at, rowPage, go));
    if (rowPage !== null) at = rowPage;
    const row = h("tr", { class: rowPage !== page ? "elsewhere" : "", data: { page: rowPage ?? "" } });
    cells.sort((a, b) => a.column - b.column);
    for (const cell of cells) row.append(cellElement(cell, isHead, page, { touch, go }));
    (isHead ? head : body).append(row);
  });
  if (head.childElementCount) element.append(head);
  element.append(body);
  const notes = [`${table.rows} rows, ${table.columns} columns, confidence ${percent(table.confidence)}`];
  if (table.left_out) notes.push(`${table.left_out} cells are not shown here; the downloads have all`);
  return h("div", { class: "table" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" }, element),
    h("p", { class: "note", text: notes.join(" · ") }), apart(table));
}

function cellElement(cell, isHead, page, { touch, go }) {
  const element = h(isHead ? "th" : "td", {
    text: cell.text, dir: "auto", rowspan: cell.row_span > 1 ? Math.min(cell.row_span, 1000) : null, colspan: cell.column_span > 1 ? Math.min(cell.column_span, 1000) : null,
    data: { row: cell.row, column: cell.column },
  });
  if (isHead) element.scope = "col";
  if (cell.bbox && cell.page === page) {
    element.addEventListener("pointerenter", () => touch(cell, true));
    element.addEventListener("pointerleave", () => touch(cell, false));
  } else if (cell.page !== page) {
    element.title = `on page ${cell.page}`;
    element.addEventListener("click", () => go(cell.page));
  }
  return element;
}

function seam(table, from, to, go) {
  const join = table.joins.find((one) => one.from_page === from && one.to_page === to) || table.joins.find((one) => one.to_page === to);
  const link = h("button", { type: "button", class: "link", text: `page ${to}`, on: { click: () => go(to) } });
  const said = join ? `${join.decision}, score ${join.score.toFixed(2)}` : "goes on";
  return h("tr", { class: `seam ${join ? join.decision : ""}` }, h("td", { colspan: Math.max(1, Math.min(table.columns, 1000)) },
    h("span", { text: `page ${from} → ` }), link, h("strong", { text: said }), join ? reasons(join) : null));
}

function reasons(join) {
  return h("ul", { class: "reasons" }, join.reasons.slice(0, REASONS_SHOWN).map((reason) => h("li", { text: words(reason) })));
}

// Joins that were looked at and not made: why the table ends here.
function apart(table) {
  const left = table.joins.filter((join) => join.decision !== "joined");
  if (!left.length) return null;
  return h("div", { class: "apart" }, left.map((join) => h("p", {},
    `${join.decision === "possible" ? "may go on" : "does not go on"} from page ${join.from_page} to page ${join.to_page}, score ${join.score.toFixed(2)} `, reasons(join))));
}

export function words(reason) {
  return reason.replaceAll("_", " ");
}
