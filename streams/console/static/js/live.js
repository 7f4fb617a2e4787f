// What the server tells as it happens: cards of documents, samples of the pipeline, whether Kafka answers.

const KEPT_SAMPLES = 200;

export const live = { cards: new Map(), samples: [], kafka: null, told: false };
const listeners = new Set();

export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(what) {
  for (const listener of listeners) listener(what);
}

export function connect() {
  const source = new EventSource("/api/events");
  source.addEventListener("documents", (event) => {
    const { cards, removed, first } = JSON.parse(event.data);
    if (first) live.cards.clear();
    for (const key of removed) live.cards.delete(key);
    for (const card of cards) live.cards.set(card.key, card);
    live.told = true;
    tell("documents");
  });
  source.addEventListener("samples", (event) => {
    const known = live.samples.length ? live.samples[live.samples.length - 1].at_ms : 0;
    live.samples = live.samples.concat(JSON.parse(event.data).filter((sample) => sample.at_ms > known)).slice(-KEPT_SAMPLES);
    tell("samples");
  });
  source.addEventListener("kafka", (event) => {
    live.kafka = JSON.parse(event.data).connected;
    tell("kafka");
  });
  source.addEventListener("error", () => {
    live.kafka = null;
    tell("kafka");
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  });
}
