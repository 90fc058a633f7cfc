/** The JSON of the API, as docs/api.md describes it. Optional fields are left out when they are null. */
export type Role = "viewer" | "operator" | "admin";
export type VerdictState = "ok" | "warn" | "bad" | "paused";
export type StatusName = "PENDING" | "CLAIMED" | "DELIVERED" | "DEAD";

export interface Verdict {
  state: VerdictState;
  code: string;
  sentence: string;
  since?: string;
  topic?: string;
}

export interface Count {
  value: number;
  atLeast?: boolean;
}

export interface Me {
  name: string;
  role: Role;
  authenticated?: boolean;
  canSignOut?: boolean;
}

export interface Source {
  name: string;
  database?: string;
  verdict?: Verdict;
}

export interface Sources {
  sources: Source[];
  dev?: boolean;
  version?: string;
}

export interface Page<T> {
  items: T[];
  next?: string;
  searched?: string;
}

export interface DeadGroup {
  namespace: string;
  topic: string;
  type: string;
  failure: string;
  count: number;
  atLeast?: boolean;
  first: string;
  last: string;
  sample?: { id: string; error?: string };
}

export interface AuditEntry {
  entry?: number;
  at: string;
  by: string;
  action: string;
  reason?: string;
  messageId?: string;
  bulkId?: string;
  detail?: string;
}

export interface Overview {
  at?: string;
  verdict: Verdict;
  /** Left out while the database cannot be asked. */
  cards?: {
    inPerSecond?: number;
    outPerSecond?: number;
    oldestPendingMillis?: number;
    pending?: Count;
    waiting?: Count;
    retrying?: Count;
    dead?: Count;
    blockedKeys?: Count;
    relays?: number;
    unownedShards?: number;
  };
  failures: DeadGroup[];
  actions: AuditEntry[];
  changes?: string[];
}

export type Points = (number | null)[];

export interface Statistics {
  stepMillis: number;
  from: string;
  series: {
    in?: Points;
    out?: Points;
    oldestMillis?: Points;
    delayP50Millis?: Points;
    delayP95Millis?: Points;
    delayP99Millis?: Points;
    failed?: Points;
  };
  /** What the relays of this process did since they were started. */
  topics?: { namespace: string; topic: string; out: number; failed: number }[];
}

export interface Message {
  id: string;
  seq: number;
  status: StatusName;
  namespace: string;
  topic: string;
  type: string;
  key?: string;
  tenant?: string;
  dedupeKey?: string;
  version?: number;
  attempts: number;
  maxAttempts?: number;
  claimedBy?: string;
  lastError?: string;
  failure?: string;
  defect?: string;
  created: string;
  updated?: string;
  due?: string;
  claimedUntil?: string;
  delivered?: string;
  died?: string;
  payloadBytes?: number;
  contentType?: string;
}

export interface Payload {
  text?: string;
  base64?: string;
  bytes?: number;
  contentType?: string;
}

export interface Attempt {
  attempt: number;
  relay?: string;
  outcome: "RETRY" | "DEAD";
  tookMillis?: number;
  failure?: string;
  error?: string;
  ended: string;
}

export interface Archived {
  id: string;
  ended?: string;
  replacedBy?: string;
  namespace: string;
  topic: string;
  type: string;
  key?: string;
  attempts?: number;
  lastError?: string;
  created: string;
  delivered?: string;
  died?: string;
  archived: string;
  contentType?: string;
  payload?: Payload;
  headers?: Record<string, string>;
}

export interface MessageDetail extends Message {
  payload?: Payload;
  headers?: Record<string, string>;
  attemptsList?: Attempt[];
  audit?: AuditEntry[];
  archived?: Archived[];
}

export interface Neighbours {
  before: Message[];
  after: Message[];
  blockedBy?: string;
}

export type BulkAction = "requeue" | "discard" | "replay";

export interface Bulk {
  id: string;
  action: BulkAction;
  filter: string;
  by: string;
  reason?: string;
  cutOff?: string;
  expected: number | Count;
  status: string;
  done: number;
  skipped: number;
  failed: number;
  startedAt?: string;
  updatedAt?: string;
  lastError?: string;
  samples?: string[];
}

export interface BulkRow {
  seq: number;
  messageId: string;
  result: string;
  error?: string;
}

export interface Relay {
  id: string;
  host?: string;
  version?: string;
  joined?: string;
  until?: string;
  alive: boolean;
  state?: string;
  inFlight?: number;
  shards?: number[];
  delivered?: number;
  failed?: number;
  lastError?: string;
  wanted?: "RUN" | "PAUSE" | "DRAIN";
  wantedBy?: string;
  here?: boolean;
}

export interface Relays {
  items: Relay[];
  shards: { shard: number; owner?: string; epoch?: number }[];
}

export interface Topic {
  namespace: string;
  topic: string;
  pending?: Count;
  dead?: Count;
  outPerSecond?: number;
  failedPerSecond?: number;
  gate?: "open" | "closed";
  closedSince?: string;
  lastError?: string;
  paused?: boolean;
  pausedBy?: string;
  pausedSince?: string;
  route?: string;
}

export interface BlockedKey {
  namespace: string;
  topic: string;
  key: string;
  blockedBy: string;
  status?: StatusName;
  waiting?: Count | number;
  error?: string;
}

export interface Parked {
  place: number;
  messageId: string;
  state?: string;
  reason?: string;
  attempts?: number;
  parkedAt?: string;
  error?: string;
  topic?: string;
  key?: string;
  type?: string;
}

export interface InboxLookup {
  state: string;
  at?: string;
  attempts?: number;
  source?: string;
  error?: string;
}

export interface Saga {
  id: string;
  definition: string;
  version?: number;
  businessKey?: string;
  status: string;
  failure?: { step?: string; type: string; message?: string };
  created: string;
  updated: string;
}

export interface JournalEntry {
  step: string;
  direction: "FORWARD" | "BACK";
  status: string;
  attempts?: number;
  error?: string;
  started?: string;
  finished?: string;
}

export interface GraphNode {
  id: string;
  step: string;
  direction: "FORWARD" | "BACK";
  status: string;
}

export interface SagaDetail extends Saga {
  /** Whether the step after which nothing is undone any more is done. */
  pivotPassed?: boolean;
  journal?: JournalEntry[];
  audit?: AuditEntry[];
  graph?: { nodes: GraphNode[]; edges: { from: string; to: string }[] };
  context?: string;
}

export interface Alert {
  rule: string;
  severity: string;
  firing: boolean;
  since?: string;
  text?: string;
  runbook?: string;
  snoozedUntil?: string;
  snoozedBy?: string;
  snoozeReason?: string;
}

export interface Alerts {
  items: Alert[];
  /** False until this process has seen enough to judge. */
  watching?: boolean;
  history?: { rule: string; at: string; state: string; text?: string }[];
}

export interface SettingsView {
  settings: { name: string; value: string; origin?: string; secret?: boolean }[];
  schema: { part: string; version?: string | number; expected?: string | number }[];
  tables: { name: string; rows?: number; bytes?: number }[];
  version?: string;
}

export interface Finding {
  check: string;
  level: "ok" | "note" | "warn" | "bad" | "skipped";
  found: string;
  means?: string;
  do?: string;
}

export interface DevState {
  broker: { broken: boolean; latencyMillis?: number };
  traffic: { perSecond: number; poison?: boolean };
  relays: string[];
}
