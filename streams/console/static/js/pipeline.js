// The pipeline at work: what waits for whom, how many work, how fast pages come, over the last minutes.

import { h, setText, show } from "./dom.js";
import { listen, live } from "./live.js";
import { Plot } from "./plot.js";

const SPAN_MS = 10 * 60 * 1000;
const IDLE_LAG = 8;

export function pipelineView(root) {
  const pace = new Plot("pages", "/s");
  const underWay = new Plot("documents under way");
  const letters = new Plot("dead letters");
  const failed = new Plot("failed pages");
  const error = h("p", { class: "bad", role: "alert" });
  const waiting = h("p", { class: "note", role: "status" });
  const stages = h("ol", { class: "stages" });
  const topics = h("tbody");
  const rows = new Map();
  show(root, h("h1", { text: "Pipeline" }), waiting, error,
    h("section", { class: "plots", "aria-label": "Over the last ten minutes" }, pace.element, underWay.element, letters.element, failed.element),
    h("h2", { text: "Workers, and what waits for them" }), stages,
    h("p", { class: "note", text: "The lag counts markers of transactions as well: one or two a partition stay where nothing waits." }),
    h("h2", { text: "Topics" }), h("div", { class: "scroll" }, h("table", { class: "topics" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", text: "topic" }), h("th", { scope: "col", text: "read by" }), h("th", { scope: "col", text: "lag" }), h("th", { scope: "col", text: "≤ records" }))), topics)));
  const items = new Map();

  function update() {
    const { samples } = live;
    const last = samples[samples.length - 1];
    setText(waiting, last ? "" : "waiting for the first sample …");
    if (!last) return;
    setText(error, last.error);
    const of = (read) => samples.filter((sample) => !sample.error).map((sample) => [sample.at_ms, read(sample)]);
    pace.update(samples.map((sample) => [sample.at_ms, sample.pages_per_s]), SPAN_MS);
    underWay.update(samples.map((sample) => [sample.at_ms, sample.under_way]), SPAN_MS);
    letters.update(of((sample) => sample.dead_letters), SPAN_MS);
    failed.update(of((sample) => sample.failed_pages), SPAN_MS);
    for (const stage of last.stages) {
      if (!items.has(stage.name)) { const item = new StageItem(stage.name); items.set(stage.name, item); stages.append(item.element); }
      items.get(stage.name).update(stage, of((sample) => total(sample.stages.find((one) => one.name === stage.name))));
    }
    updateTopics(last, topics, rows);
  }

  update();
  return { stop: listen((what) => what === "samples" && update()) };
}

function total(stage) {
  return stage ? Object.values(stage.lag).reduce((sum, lag) => sum + lag, 0) : 0;
}

class StageItem {
  constructor(name) {
    this.plot = new Plot("lag", "", IDLE_LAG);
    this.workers = h("p", { class: "workers" });
    this.element = h("li", {}, h("h3", { text: name }), this.workers, this.plot.element);
  }

  update(stage, points) {
    const idle = stage.workers === 0;
    setText(this.workers, idle ? "no workers" : `${stage.workers} ${stage.workers === 1 ? "worker" : "workers"}`);
    this.element.classList.toggle("missing", idle);
    this.element.classList.toggle("busy", total(stage) > IDLE_LAG);
    this.plot.update(points, SPAN_MS);
  }
}

function updateTopics(sample, body, rows) {
  const readers = new Map();
  for (const stage of sample.stages) for (const [topic, lag] of Object.entries(stage.lag)) readers.set(topic, [stage.name, lag]);
  for (const [topic, records] of Object.entries(sample.records)) {
    let row = rows.get(topic);
    if (!row) {
      row = [h("td"), h("td", { class: "number" }), h("td", { class: "number" })];
      rows.set(topic, row);
      body.append(h("tr", {}, h("th", { scope: "row", text: topic }), row));
    }
    const [name, lag] = readers.get(topic) || ["", null];
    setText(row[0], name);
    setText(row[1], lag === null ? "" : lag.toLocaleString());
    setText(row[2], records.toLocaleString());
  }
}
