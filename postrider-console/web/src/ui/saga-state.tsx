import type { Saga } from "../types";
import { firstLine } from "../format";
import { Toned } from "./basics";
import type { IconName } from "./icon";

type Tone = "delivered" | "pending" | "retrying" | "dead" | "muted" | "accent";

const LOOK: Record<string, [IconName, Tone]> = {
  RUNNING: ["play", "accent"],
  WAITING: ["clock", "pending"],
  COMPENSATING: ["retry", "retrying"],
  STUCK: ["cross", "dead"],
  FAILED: ["cross", "dead"],
  COMPLETED: ["check", "delivered"],
  DONE: ["check", "delivered"],
  SUCCEEDED: ["check", "delivered"],
  COMPENSATED: ["check", "muted"],
  ROLLED_BACK: ["check", "muted"],
  CANCELLED: ["cross", "muted"],
  RETRYING: ["retry", "retrying"],
};

/** A state of a saga or of a step: icon, word and colour. */
export function SagaState({ state }: { state: string }) {
  const [icon, tone] = LOOK[state] ?? ["dot", "muted"];
  return <Toned icon={icon} tone={tone} text={stateWords(state)} />;
}

export function stateWords(state: string): string {
  return state.toLowerCase().replace(/_/g, " ");
}

/** A forward step that was left when its saga turned back has failed. */
export function stepState(saga: Pick<Saga, "status">, step: { direction: string; status: string }): string {
  const turned = saga.status !== "RUNNING" && saga.status !== "WAITING";
  return turned && step.direction === "FORWARD" && step.status === "STARTED" ? "FAILED" : step.status;
}

/** How a step is drawn: done, current, retrying, bad or not reached. */
export function drawn(state: string): string {
  if (["DONE", "COMPLETED", "SUCCEEDED", "COMPENSATED", "SKIPPED"].includes(state)) return "done";
  if (["STUCK", "FAILED", "DEAD", "REFUSED"].includes(state)) return "bad";
  if (["RETRYING"].includes(state)) return "retry";
  if (["RUNNING", "STARTED", "WAITING", "COMPENSATING", "PENDING", "OPEN"].includes(state)) return "current";
  return "";
}

/** Why a saga turned back or stopped, on one line. */
export function failureText(saga: Pick<Saga, "failure">): string {
  if (!saga.failure) return "";
  const type = saga.failure.type.replace(/^.*[.$]/, "");
  return [saga.failure.step, firstLine(saga.failure.message) || type].filter(Boolean).join(": ");
}
