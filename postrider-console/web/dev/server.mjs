// Serves dist/ and believable answers below a path for each scenario: node dev/server.mjs, then http://127.0.0.1:8471/busy/
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as data from "./data.mjs";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const SCENARIOS = ["healthy", "busy", "broken", "empty", "viewer", "closed"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const POLICY = "default-src 'self'; base-uri 'self'; form-action 'self'; object-src 'none'; frame-ancestors 'none'";
const signedIn = new Set();
let dev = { broker: { broken: false, latencyMillis: 5 }, traffic: { perSecond: 20, poison: false }, relays: ["relay-1", "relay-2"] };

function json(response, status, body) {
  response.writeHead(status, { "content-type": status < 400 ? "application/json" : "application/problem+json", "cache-control": "no-store" });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

const problem = (status, code, detail, todo) => ({ problem: { status, code, title: code, detail, do: todo } });

function answer(scenario, route, query, method, body, now) {
  const world = scenario === "viewer" || scenario === "closed" ? "busy" : scenario;
  const m = route.split("/");
  if (method === "POST") {
    if (m[0] === "bulk" && m.length === 1) return { ...data.bulks("busy", now)[0], ...body, status: "PREPARED", done: 0, skipped: 0, failed: 0, startedAt: undefined, expected: 5041, samples: [20, 40, 80].map((n) => data.idOf(100000 - n)) };
    if (m[0] === "bulk") return data.bulks("busy", now)[0];
    if (m[0] === "topics" && m[1] === "probe") return { reachable: body.topic !== "orders", detail: body.topic === "orders" ? "Timeout after 5 s." : undefined };
    if (m[0] === "dev") {
      dev = { ...dev, broker: { ...dev.broker, ...body }, traffic: { ...dev.traffic, ...body } };
      return dev;
    }
    if (m[2] === "edit") return { id: data.idOf(99998) };
    return { asked: body.ids?.length ?? 1, done: Math.max(0, (body.ids?.length ?? 1) - (body.ids?.length > 3 ? 1 : 0)) };
  }
  switch (m[0]) {
    case "overview": return data.overview(world, now);
    case "statistics": return data.statistics(world, query.get("window"), now);
    case "messages":
      if (m.length === 1) return data.messages(world, query, now);
      if (m[2] === "neighbours") return data.neighbours(world, m[1], now);
      return data.message(world, m[1], now) ?? problem(404, "not-found", `No message ${m[1]}.`);
    case "dead": return { items: data.groups(world, now) };
    case "bulk":
      if (m.length === 1) return { items: data.bulks(world, now) };
      if (m[2] === "rows") return { items: data.rows().filter((row) => !query.get("result") || row.result.toLowerCase() === query.get("result")) };
      return data.bulks("busy", now).find((bulk) => bulk.id === m[1]) ?? problem(404, "not-found", "No such action.");
    case "relays": return data.relays(world, now);
    case "topics": return { items: data.topics(world, now) };
    case "keys": return { items: data.keys(world) };
    case "inbox":
      if (m[1] === "consumers") return world === "healthy" ? { available: false } : { available: true, items: world === "empty" ? [] : ["billing", "search-index"] };
      if (m[1] === "lookup") return query.get("id")?.length > 5 ? { state: "PROCESSED", at: new Date(now - 900000).toISOString(), attempts: 1 } : problem(404, "not-found", "Never seen.");
      return { items: world === "empty" ? [] : data.parked(now) };
    case "sagas":
      if (m.length === 1) return { items: data.sagas(world, now).filter((one) => !query.get("status") || one.status === query.get("status")) };
      return data.saga(world, m[1], now) ?? problem(404, "not-found", "No such saga.");
    case "alerts": return data.alerts(world, now);
    case "audit": return { items: data.audit(world, now) };
    case "settings": return data.settings();
    case "doctor": return data.doctor();
    case "dev": return dev;
    default: return problem(404, "not-found", `No route ${route}.`);
  }
}

function serve(request, response, body) {
  const url = new URL(request.url, "http://127.0.0.1");
  const [, scenario, ...rest] = url.pathname.split("/");
  if (!SCENARIOS.includes(scenario)) return json(response, 404, { status: 404, title: `Scenarios: ${SCENARIOS.join(", ")}` });
  const path = rest.join("/");
  const now = Date.now();
  if (path.startsWith("api/v1/")) {
    const route = path.slice(7);
    if (route === "session") {
      if (request.method === "POST" && body.password !== "secret") return json(response, 401, { status: 401, code: "signed-out", title: "Wrong" });
      signedIn[request.method === "POST" ? "add" : "delete"](scenario);
      return json(response, 204);
    }
    if (scenario === "closed" && !signedIn.has(scenario)) return json(response, 401, { status: 401, code: "signed-out", title: "Signed out" });
    if (route === "me") return json(response, 200, { name: scenario === "viewer" ? "vera" : "ana", role: scenario === "viewer" ? "viewer" : "operator", authenticated: true, canSignOut: scenario === "closed" });
    if (route === "sources") return json(response, 200, { sources: [{ name: "main", database: "PostgreSQL 17.2" }, ...(scenario === "busy" ? [{ name: "warehouse", database: "MariaDB 11.4" }] : [])], dev: scenario !== "viewer", version: "0.1.0-SNAPSHOT" });
    if (route === "events") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      const send = () => response.write(`event: overview\ndata: ${JSON.stringify(answer(scenario, "overview", url.searchParams, "GET", {}, Date.now()))}\n\n`);
      send();
      const timer = setInterval(send, 1000);
      request.on("close", () => clearInterval(timer));
      return undefined;
    }
    const given = answer(scenario, decodeURIComponent(route.split("/").slice(2).join("/")), url.searchParams, request.method, body, now);
    if (request.method === "POST" && scenario === "viewer") return json(response, 403, { status: 403, code: "not-permitted", detail: "Needs the role operator." });
    return given.problem ? json(response, given.problem.status, given.problem) : json(response, 200, given);
  }
  const file = join(dist, path);
  const found = path !== "" && extname(path) !== "" && existsSync(file);
  if (!found && extname(path) !== "") return json(response, 404, { status: 404 });
  const content = readFileSync(found ? file : join(dist, "index.html"));
  response.writeHead(200, { "content-type": `${TYPES[extname(found ? file : ".html")]}; charset=utf-8`, "content-security-policy": POLICY });
  response.end(found ? content : content.toString().replace(/<base href="[^"]*"/, `<base href="/${scenario}/"`));
}

createServer((request, response) => {
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    try {
      serve(request, response, text ? JSON.parse(text) : {});
    } catch (error) {
      console.error(error);
      json(response, 500, { status: 500, code: "internal", detail: String(error) });
    }
  });
}).listen(Number(process.env.PORT ?? 8471), "127.0.0.1", () => console.log(`http://127.0.0.1:${process.env.PORT ?? 8471}/{${SCENARIOS.join(",")}}/`));
