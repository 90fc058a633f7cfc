import { signal } from "@preact/signals";
import { mount, queryText, type Params } from "./router";

/** What the API says when it refuses: RFC 9457 with our code and what to do. */
export interface ProblemJson {
  title?: string;
  status: number;
  detail?: string;
  code?: string;
  do?: string;
  position?: number;
  length?: number;
  archived?: unknown;
}

export class Problem extends Error {
  constructor(readonly json: ProblemJson) {
    super(json.detail ?? json.title ?? `HTTP ${json.status}`);
  }
}

/** True once the API answered that nobody is signed in; the page stays as it is. */
export const signedOut = signal(false);
/** Where another way of signing in starts, if the server names one. */
export const signInLinks = signal<{ name: string; href: string }[]>([]);

/** The address of an API route below the mount point. */
export function api(path: string, params: Params = {}): string {
  return `${mount()}api/v1/${path}${queryText(params)}`;
}

async function answer<T>(response: Response, asked: string): Promise<T> {
  if (response.ok) return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  const json = await problemOf(response);
  if (response.status === 401 && asked !== "session") signedOut.value = true;
  throw new Problem(json);
}

async function problemOf(response: Response): Promise<ProblemJson> {
  try {
    const json = (await response.json()) as ProblemJson & { signIn?: { name: string; href: string }[] };
    if (Array.isArray(json.signIn)) signInLinks.value = json.signIn;
    return { ...json, status: response.status };
  } catch {
    return { status: response.status, title: response.statusText, code: response.status === 404 ? "not-found" : "internal" };
  }
}

async function send<T>(path: string, params: Params, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(api(path, params), { credentials: "same-origin", cache: "no-store", ...init });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new Problem({ status: 0, code: "unreachable", title: "The server does not answer" });
  }
  return answer<T>(response, path);
}

export function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  return send<T>(path, params, { headers: { accept: "application/json" }, ...(signal ? { signal } : {}) });
}

/** Sends a request that changes something; a route that takes no body gets none. */
export function post<T>(path: string, body?: unknown): Promise<T> {
  return send<T>(path, {}, {
    method: "POST",
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export function remove<T>(path: string): Promise<T> {
  return send<T>(path, {}, { method: "DELETE", headers: { accept: "application/json" } });
}
