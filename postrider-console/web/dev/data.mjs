// Believable answers of the API for each scenario: healthy, broken, busy (dead groups), empty, viewer, closed.
const TYPES = { orders: ["OrderPlaced", "OrderCancelled"], payments: ["PaymentCaptured", "PaymentRefused"], shipments: ["ShipmentBooked"], "customer-mail": ["MailWanted"] };
const TOPICS = Object.keys(TYPES);
const FAILURES = [
  { topic: "orders", type: "OrderPlaced", failure: "JsonParseException at PriceMapper.map", error: "com.shop.price.JsonParseException: Unexpected character ('}' (code 125)): was expecting double-quote to start field name\n\tat com.shop.price.PriceMapper.map(PriceMapper.java:41)", count: 5041, every: 2 },
  { topic: "payments", type: "PaymentCaptured", failure: "HTTP 422 at LedgerPublisher.publish", error: "dev.postrider.http.PermanentHttpException: HTTP 422 from https://ledger.internal/v1/entries: amount must not be negative", count: 12, every: 31 },
  { topic: "customer-mail", type: "MailWanted", failure: "RecordTooLargeException at KafkaPublisher.send", error: "org.apache.kafka.common.errors.RecordTooLargeException: The message is 1310720 bytes when serialized which is larger than 1048576", count: 1, every: 400 },
];
const start = Date.now();
const iso = (at) => new Date(at).toISOString();
const hex = (n, width) => (n >>> 0).toString(16).padStart(width, "0").slice(-width);
export const idOf = (n) => `0198${hex(n * 2654435761, 4)}-${hex(n * 40503, 4)}-7${hex(n * 97, 3)}-8${hex(n * 13, 3)}-${hex(n * 69069, 8)}${hex(n, 4)}`;

const grownAt = (now) => 100000 + Math.floor((now - start) / 4000);

function messageOf(n, scenario, now) {
  const topic = TOPICS[n % 7 < 4 ? 0 : n % 7 < 6 ? 1 : n % 2 ? 2 : 3];
  const type = TYPES[topic][n % TYPES[topic].length];
  const age = (grownAt(now) - n) * 3731 + 400;
  const created = now - age;
  const base = {
    id: idOf(n), seq: n, status: "DELIVERED", namespace: "shop", topic, type, key: n % 9 === 8 ? undefined : String(4000 + ((n * 17) % 311)),
    tenant: n % 3 === 0 ? "acme" : undefined, version: 2, attempts: 1, maxAttempts: 10, created: iso(created), updated: iso(created + 380), delivered: iso(created + 380),
    payloadBytes: 214, contentType: "application/json",
  };
  const recent = grownAt(now) - n;
  if (scenario !== "healthy" && n % 5 === 0) {
    const group = FAILURES[n % 2 ? 1 : n % 3 ? 0 : 2];
    return { ...base, status: "DEAD", topic: group.topic, type: group.type, attempts: 10, delivered: undefined, died: iso(created + 240000 > now ? now - 2000 : created + 240000), lastError: group.error, failure: group.failure };
  }
  if (recent < (scenario === "broken" ? 60 : 6)) {
    const retrying = scenario === "broken" && n % 2 === 0;
    return { ...base, status: "PENDING", delivered: undefined, attempts: retrying ? 3 : 0, due: retrying ? iso(now + 9000) : base.created, lastError: retrying ? "org.apache.kafka.common.errors.TimeoutException: Topic orders not present in metadata after 60000 ms." : undefined };
  }
  if (recent < 9) return { ...base, status: "CLAIMED", delivered: undefined, claimedBy: "relay-2", claimedUntil: iso(now + 28000) };
  return base;
}

export function messages(scenario, query, now) {
  if (scenario === "empty") return { items: [], searched: "0 rows" };
  const filter = query.get("filter") ?? "";
  const term = (name) => new RegExp(`(?:^| )${name}:("(?:[^"\\\\]|\\\\.)*"|\\S+)`).exec(filter)?.[1]?.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1");
  const unknown = /(?:^| )(?!status:|topic:|type:|key:|ns:|tenant:|age:|created:|died:|failure:|error:|id:)(\w+):/.exec(filter);
  if (unknown) {
    const position = filter.indexOf(unknown[1]) + 1;
    return { problem: { status: 400, title: "Broken filter", code: "filter-broken", detail: `Unknown qualifier '${unknown[1]}' at ${position}; did you mean 'status'?`, position, length: unknown[1].length } };
  }
  const limit = Number(query.get("limit") ?? 50);
  const grown = 100000 + Math.floor((now - start) / 4000);
  let n = query.get("cursor") ? Number(query.get("cursor")) : grown;
  const items = [];
  let looked = 0;
  for (; n > 0 && items.length < limit && looked < 10000; n--, looked++) {
    const m = messageOf(n, scenario, now);
    const status = term("status");
    if (status === "retrying" ? !(m.status === "PENDING" && m.attempts > 0) : status && m.status !== status.toUpperCase()) continue;
    if (term("topic") && m.topic !== term("topic")) continue;
    if (term("type") && m.type !== term("type")) continue;
    if (term("key") && m.key !== term("key")) continue;
    if (term("failure") && m.failure !== term("failure")) continue;
    if (term("id") && m.id !== term("id")) continue;
    items.push(m);
  }
  return { items, next: n > 0 ? String(n) : undefined, searched: `${looked} rows` };
}

export function message(scenario, id, now) {
  const grown = 100000 + Math.floor((now - start) / 4000);
  for (let n = grown; n > grown - 20000; n--) {
    if (idOf(n) !== id) continue;
    const m = messageOf(n, scenario, now);
    const failed = m.status === "DEAD" ? 10 : m.attempts > 1 ? m.attempts : 0;
    return {
      ...m,
      payload: { text: '{"orderId":90071992547409931,"customer":"K-4711","currency":"EUR","total":129.90,"lines":[{"sku":"A-100","count":2,"price":49.95},{"sku":"B-7","count":1,"price":30.00,"note":"<b onclick=alert(1)>gift</b>"}],"express":true,"coupon":null,}' },
      headers: { "ce-source": "shop/checkout", "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "x-tenant": "acme" },
      attemptsList: Array.from({ length: failed }, (_, i) => ({
        attempt: i + 1, relay: i === 9 ? "relay-2" : "relay-1", outcome: m.status === "DEAD" && i === failed - 1 ? "DEAD" : "RETRY", tookMillis: 12 + i,
        failure: i < 2 ? "TimeoutException at KafkaPublisher.send" : m.failure, error: i < 2 ? "org.apache.kafka.common.errors.TimeoutException: Expiring 1 record(s) for orders-3" : m.lastError,
        ended: iso(Date.parse(m.created) + 2000 + i * 24000),
      })),
      audit: m.status === "DEAD" ? [{ entry: 7, at: iso(Date.parse(m.created) + 120000), by: "ana", action: "requeue", reason: "mapper fixed in 2.4.1", messageId: id }] : [],
      archived: [],
    };
  }
  return undefined;
}

export function neighbours(scenario, id, now) {
  const found = message(scenario, id, now);
  const around = (from) => Array.from({ length: 3 }, (_, i) => ({ ...messageOf(from + i * 311, scenario, now), key: found?.key, topic: found?.topic, type: found?.type }));
  return { before: around(found.seq - 933), after: around(found.seq + 311).map((m) => ({ ...m, status: "PENDING", attempts: 0 })), blockedBy: undefined };
}

export function groups(scenario, now) {
  if (scenario === "healthy" || scenario === "empty") return [];
  return FAILURES.map((f, i) => ({ namespace: "shop", topic: f.topic, type: f.type, failure: f.failure, count: f.count, atLeast: f.count > 5000, first: iso(now - (i + 1) * 5400000), last: iso(now - (i + 1) * (i + 1) * 70000), sample: { id: idOf(100000 - (i === 1 ? 5 : i === 0 ? 20 : 10)), error: f.error } }));
}

const ACTIONS = (now) => [
  { entry: 42, at: iso(now - 660000), by: "ana", action: "bulk requeue", reason: "mapper fixed in 2.4.1", bulkId: idOf(9001), detail: "312 of 316, 4 no longer dead" },
  { entry: 41, at: iso(now - 2900000), by: "ben", action: "discard", reason: "test order of the warehouse", messageId: idOf(99311), detail: "1 of 1" },
  { entry: 40, at: iso(now - 8200000), by: "ana", action: "edit", reason: "price without a comma", messageId: idOf(99120), detail: `replaced by ${idOf(99999)}` },
  { entry: 39, at: iso(now - 86000000), by: "deploy", action: "relay pause", reason: "release 2.4.0", detail: "relay-1" },
];

export function overview(scenario, now) {
  const wave = Math.sin(now / 9000);
  const seconds = Math.floor((now - start) / 1000);
  if (scenario === "empty") {
    return { at: iso(now), verdict: { state: "ok", code: "delivering", sentence: "Nothing is waiting." }, cards: { inPerSecond: 0, outPerSecond: 0, pending: { value: 0 }, waiting: { value: 0 }, dead: { value: 0 }, blockedKeys: { value: 0 }, relays: 1, unownedShards: 0 }, failures: [], actions: [], changes: [] };
  }
  const cards = { inPerSecond: 1020 + wave * 30, outPerSecond: 1018 + wave * 26, oldestPendingMillis: 400 + wave * 90, pending: { value: Math.round(212 + wave * 40) }, waiting: { value: 3 }, retrying: { value: 3 }, dead: { value: 0 }, blockedKeys: { value: 0 }, relays: 3, unownedShards: 0 };
  if (scenario === "broken") {
    const down = 192000 + seconds * 1000;
    return { at: iso(now), verdict: { state: "bad", code: "topic-unreachable", sentence: `orders: broker unreachable for ${Math.floor(down / 60000)} m ${Math.floor(down / 1000) % 60} s, 1,204 waiting. Nothing is lost.`, topic: "orders", since: iso(now - down) }, cards: { ...cards, outPerSecond: 0, oldestPendingMillis: down, pending: { value: 10000, atLeast: true }, waiting: { value: 1204 }, retrying: { value: 1204 }, dead: { value: 54 }, blockedKeys: { value: 17 }, relays: 2, unownedShards: 3 }, failures: groups(scenario, now), actions: ACTIONS(now), changes: ["relay-3 left", "relay-1 took 5 shards"] };
  }
  if (scenario === "healthy") return { at: iso(now), verdict: { state: "ok", code: "delivering", sentence: `Delivering normally. Oldest pending ${((400 + wave * 90) / 1000).toFixed(1)} s.` }, cards, failures: [], actions: ACTIONS(now), changes: [] };
  return { at: iso(now), verdict: { state: "warn", code: "keys-blocked", sentence: "2 keys are blocked by a dead message. 17 messages wait behind them." }, cards: { ...cards, dead: { value: 5054 }, blockedKeys: { value: 2 } }, failures: groups(scenario, now), actions: ACTIONS(now), changes: [] };
}

export function statistics(scenario, window, now) {
  const stepMillis = { "15m": 5000, "1h": 20000, "24h": 480000 }[window] ?? 5000;
  const length = 180;
  const from = Math.floor((now - length * stepMillis) / stepMillis) * stepMillis;
  const series = (make) => Array.from({ length }, (_, i) => (scenario === "empty" || (i > 40 && i < 46) ? null : Math.max(0, make(i))));
  const noise = (i, k) => Math.sin(i / 7 + k) * 0.5 + Math.sin(i / 2.3 + k * 2) * 0.3 + Math.sin(i * 1.7 + k) * 0.2;
  const down = (i) => scenario === "broken" && i > 140;
  return {
    stepMillis, from: iso(from),
    series: {
      in: series((i) => 1020 + noise(i, 1) * 90), out: series((i) => (down(i) ? 0 : 1016 + noise(i, 1.2) * 90)),
      oldestMillis: series((i) => (down(i) ? (i - 140) * stepMillis : 420 + noise(i, 3) * 160)),
      delayP50Millis: series((i) => 12 + noise(i, 4) * 3), delayP95Millis: series((i) => 40 + noise(i, 5) * 9), delayP99Millis: series((i) => 96 + noise(i, 6) * 30), failed: series(() => 0),
    },
    topics: scenario === "healthy" || scenario === "empty" ? [] : [{ namespace: "shop", topic: "orders", out: 62040, failed: 412 }, { namespace: "shop", topic: "payments", out: 30119, failed: 38 }, { namespace: "shop", topic: "customer-mail", out: 4021, failed: 6 }],
  };
}

export function relays(scenario, now) {
  if (scenario === "empty") return { items: [], shards: [] };
  const names = ["relay-1", "relay-2", "relay-3"];
  const owner = (s) => (scenario === "broken" ? (s % 3 === 2 ? (s < 9 ? undefined : "relay-1") : names[s % 3]) : names[s % 3]);
  const shards = Array.from({ length: 24 }, (_, shard) => ({ shard, owner: owner(shard), epoch: 40 + shard }));
  return {
    items: names.map((id, i) => {
      const gone = scenario === "broken" && i === 2;
      return { id, host: `shop-${i + 1}.eu-1.internal`, version: "0.1.0", joined: iso(now - 86400000 * (i + 1)), until: iso(gone ? now - 41000 : now + 9000 + i * 700), alive: !gone, state: i === 1 && scenario === "busy" ? "PAUSED" : "RUNNING", inFlight: gone ? undefined : 34 + i, shards: shards.filter((s) => s.owner === id).map((s) => s.shard), delivered: 340 + i, failed: i === 0 && scenario === "broken" ? 412 : 0, lastError: i === 0 && scenario === "broken" ? "TimeoutException: Topic orders not present in metadata after 60000 ms." : undefined, wanted: i === 1 && scenario === "busy" ? "PAUSE" : "RUN", wantedBy: i === 1 && scenario === "busy" ? "ana" : undefined, here: i === 0 };
    }),
    shards,
  };
}

export function topics(scenario, now) {
  if (scenario === "empty") return [];
  return TOPICS.map((topic, i) => {
    const closed = scenario === "broken" && i === 0;
    return { namespace: "shop", topic, pending: { value: closed ? 1204 : 50 * (i + 1) }, dead: { value: scenario === "healthy" ? 0 : [5041, 12, 0, 1][i] }, outPerSecond: closed ? 0 : [620, 301, 64, 33][i], failedPerSecond: closed ? 4.2 : 0, gate: closed ? "closed" : "open", closedSince: closed ? iso(now - 192000) : undefined, lastError: closed ? "TimeoutException: Topic orders not present in metadata after 60000 ms." : undefined, paused: scenario === "busy" && i === 2, pausedBy: scenario === "busy" && i === 2 ? "ben" : undefined, route: i < 2 ? "Kafka, main cluster" : "RabbitMQ, exchange shop" };
  });
}

export function keys(scenario) {
  if (scenario === "healthy" || scenario === "empty") return [];
  return [["4042", 17], ["4108", 3], ["customer/90071992547409931", 1]].map(([key, waiting], i) => ({ namespace: "shop", topic: i ? "payments" : "orders", key, blockedBy: idOf(100000 - 5 * (i + 1)), status: i === 2 ? "PENDING" : "DEAD", waiting: { value: waiting, atLeast: false }, error: FAILURES[i ? 1 : 0].error }));
}

export function bulks(scenario, now) {
  if (scenario === "empty" || scenario === "healthy") return [];
  const done = Math.min(5000, 1240 + Math.floor((now - start) / 40));
  return [
    { id: idOf(9001), action: "requeue", filter: "status:dead ns:shop topic:orders", by: "ana", reason: "mapper fixed in 2.4.1", cutOff: iso(now - 61000), expected: 5000, status: done < 5000 ? "RUNNING" : "DONE", done: done - 4, skipped: 4, failed: 0, startedAt: iso(now - 60000), updatedAt: iso(now) },
    { id: idOf(9002), action: "discard", filter: 'status:dead failure:"HTTP 422 at LedgerPublisher.publish"', by: "ben", reason: "test orders", cutOff: iso(now - 7200000), expected: 316, status: "DONE", done: 312, skipped: 3, failed: 1, startedAt: iso(now - 7190000), updatedAt: iso(now - 7180000) },
    { id: idOf(9003), action: "replay", filter: "status:delivered topic:shipments created:2026-11-18..2026-11-19", by: "ana", reason: "carrier lost them", cutOff: iso(now - 86000000), expected: 900, status: "PAUSED", done: 400, skipped: 0, failed: 0, startedAt: iso(now - 85000000), updatedAt: iso(now - 84000000) },
  ];
}

export function rows() {
  return Array.from({ length: 40 }, (_, i) => ({ seq: i + 1, messageId: idOf(99000 + i), result: i === 7 ? "FAILED" : i % 11 === 3 ? "SKIPPED" : "DONE", error: i === 7 ? "deadlock detected" : i % 11 === 3 ? "no longer dead" : undefined }));
}

export function parked(now) {
  return Array.from({ length: 4 }, (_, i) => ({ place: i + 1, messageId: idOf(7000 + i), state: "PARKED", reason: i ? "FAILED" : "BEHIND", topic: "orders", attempts: 5, parkedAt: iso(now - i * 900000), error: "IllegalStateException: no price list for 2026-11" }));
}

const STEPS = ["reserve-stock", "charge-card", "book-shipment", "send-invoice"];
export function sagas(scenario, now) {
  if (scenario === "empty") return [];
  const states = ["RUNNING", "COMPLETED", "COMPENSATING", "STUCK", "COMPLETED", "WAITING", "COMPENSATED", "COMPLETED"];
  return Array.from({ length: 16 }, (_, i) => ({ id: idOf(8000 + i), definition: i % 4 === 3 ? "refund" : "place-order", version: 3, businessKey: `order-${4711 + i}`, status: states[i % states.length], failure: states[i % states.length] === "STUCK" ? { step: "charge-card", type: "com.shop.CardDeclined", message: "card declined" } : undefined, created: iso(now - (i + 1) * 67000), updated: iso(now - i * 31000) }));
}
export function saga(scenario, id, now) {
  const found = sagas(scenario === "empty" ? "busy" : scenario, now).find((one) => one.id === id);
  if (!found) return undefined;
  const status = { COMPLETED: ["DONE", "DONE", "DONE", "DONE"], RUNNING: ["DONE", "DONE", "RUNNING", "PENDING"], WAITING: ["DONE", "WAITING", "PENDING", "PENDING"], STUCK: ["DONE", "STUCK", "PENDING", "PENDING"] }[found.status] ?? ["DONE", "DONE", "FAILED", "PENDING"];
  const back = found.status.startsWith("COMPENSAT");
  const nodes = STEPS.map((step, i) => ({ id: `f${i}`, step, direction: "FORWARD", status: status[i] }));
  const edges = [0, 1, 2].map((i) => ({ from: `f${i}`, to: `f${i + 1}` }));
  if (back) {
    nodes.push({ id: "b1", step: "charge-card", direction: "BACK", status: "DONE" }, { id: "b0", step: "reserve-stock", direction: "BACK", status: found.status === "COMPENSATED" ? "DONE" : "RUNNING" });
    edges.push({ from: "f2", to: "b1" }, { from: "b1", to: "b0" });
  }
  const journal = nodes.filter((node) => node.status !== "PENDING").map((node, i) => ({ step: node.step, direction: node.direction, status: node.status, attempts: node.status === "STUCK" ? 5 : 1, error: node.status === "STUCK" || node.status === "FAILED" ? "CardDeclined: insufficient funds" : undefined, started: iso(now - 60000 + i * 8000), finished: node.status === "DONE" ? iso(now - 57000 + i * 8000) : undefined }));
  return { ...found, journal, audit: [], graph: { nodes, edges }, context: '{"order":"order-4711","total":129.90,"card":"••••"}' };
}

export function alerts(scenario, now) {
  const runbook = "## What it means\nMessages are older than the limit.\n\n1. Look at **Topics**: is a gate closed?\n2. Look at **Relays**: is one alive?\n\n```\n./postrider status --max-age 60s\n```";
  return { watching: true, items: [
    { rule: "OutboxOldestPending", severity: "critical", firing: scenario === "broken", since: scenario === "broken" ? iso(now - 180000) : undefined, text: "The oldest pending message is older than 60 s.", runbook },
    { rule: "OutboxDeadMessages", severity: "warning", firing: scenario === "broken" || scenario === "busy", since: iso(now - 5400000), text: "Dead messages wait for a person.", runbook },
    { rule: "OutboxNoRelay", severity: "critical", firing: false, text: "No relay is alive.", runbook },
    { rule: "OutboxBlockedKeys", severity: "warning", firing: false, text: "Keys are blocked for more than 10 minutes.", runbook },
  ], history: scenario === "empty" ? [] : [{ rule: "OutboxOldestPending", at: iso(now - 180000), state: "FIRING", text: "192 s" }, { rule: "OutboxOldestPending", at: iso(now - 90000000), state: "RESOLVED" }] };
}

export const audit = (scenario, now) => (scenario === "empty" ? [] : ACTIONS(now));
export const settings = () => ({
  version: "0.1.0-SNAPSHOT",
  settings: [
    { name: "spring.datasource.url", value: "jdbc:postgresql://db.internal:5432/shop", origin: "environment SPRING_DATASOURCE_URL" },
    { name: "spring.datasource.password", value: "••••", origin: "environment SPRING_DATASOURCE_PASSWORD", secret: true },
    { name: "postrider.relay.batch-size", value: "100", origin: "default" },
    { name: "postrider.retry.max-attempts", value: "10", origin: "application.yml:14" },
    { name: "postrider.retention.delivered", value: "7d", origin: "application.yml:18" },
  ],
  schema: [{ part: "outbox", version: 9, expected: 9 }, { part: "inbox", version: 3, expected: 4 }, { part: "saga", version: 5, expected: 5 }],
  tables: [{ name: "outbox_message", rows: 184233, bytes: 92274688 }, { name: "outbox_archive", rows: 1203344, bytes: 734003200 }, { name: "outbox_attempt", rows: 5121, bytes: 1310720 }],
});
export const doctor = () => ({ findings: [
  { check: "Schema", level: "warn", found: "The inbox has version 3, this build expects 4.", means: "New columns are missing; the inbox works as before.", do: "Run ./postrider schema migrate" },
  { check: "Clock", level: "ok", found: "The clock of this process and the database differ by 3 ms.", means: "Claims end when they should." },
  { check: "Isolation", level: "ok", found: "READ COMMITTED", means: "Claims never wait for each other." },
  { check: "Vacuum", level: "note", found: "outbox_message has 12 % dead rows.", means: "Claims read a little more than they must." },
  { check: "Broker", level: "skipped", found: "This process has no publisher.", means: "Nothing is known about it." },
] });
