// One line over the last minutes, drawn as SVG, with its newest value beside it.

import { h, setText, svg } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 64;

export class Plot {
  // `least` is the value that fills the height at least: what is hardly anything must not look like much.
  constructor(title, unit = "", least = 1) {
    this.unit = unit;
    this.least = least;
    this.value = h("strong");
    this.most = h("span", { class: "most" });
    this.area = svg("path", { class: "area" });
    this.line = svg("path", { class: "line", "vector-effect": "non-scaling-stroke" });
    this.graphic = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" }, this.area, this.line);
    this.title = title;
    this.element = h("figure", { class: "plot" }, h("figcaption", {}, h("span", { text: title }), this.value), h("div", { class: "canvas" }, this.graphic, this.most));
  }

  // `points` are [milliseconds, value], oldest first; the axis is the span of minutes before now.
  update(points, spanMs) {
    const last = points.length ? points[points.length - 1] : [Date.now(), 0];
    const most = Math.max(0, ...points.map(([, value]) => value));
    const full = Math.max(this.least, most);
    const place = ([at, value]) => `${(WIDTH * (1 - (last[0] - at) / spanMs)).toFixed(1)} ${(HEIGHT - 2 - (HEIGHT - 6) * (value / full)).toFixed(1)}`;
    const inside = points.filter(([at]) => last[0] - at <= spanMs);
    const path = inside.map(place).join(" L");
    this.line.setAttribute("d", inside.length ? `M${path}` : "");
    this.area.setAttribute("d", inside.length > 1 ? `M${(WIDTH * (1 - (last[0] - inside[0][0]) / spanMs)).toFixed(1)} ${HEIGHT} L${path} L${WIDTH} ${HEIGHT} Z` : "");
    const shown = Number.isInteger(last[1]) ? last[1].toLocaleString() : last[1].toFixed(1);
    setText(this.value, `${shown}${this.unit}`);
    setText(this.most, most > this.least ? most.toLocaleString(undefined, { maximumFractionDigits: 1 }) : "");
    this.graphic.setAttribute("aria-label", `${this.title}: now ${shown}${this.unit}, at most ${most.toFixed(1)} in the last ${Math.round(spanMs / 60000)} minutes`);
  }
}
