import { signal } from "@preact/signals";

/** What a confirmation shows and does. It is fixed when the dialog opens: no later click changes what it applies to. */
export interface Ask {
  title: string;
  /** What will happen, in a sentence with the number in it. */
  sentence: string;
  /** What follows from it, if that is not obvious. */
  consequence?: string;
  /** The button's words: the verb and the number. */
  verb: string;
  danger?: boolean;
  /** How many things it changes; above the threshold the number is typed. */
  count: number;
  /** The same as a command line. */
  cli?: string;
  needsReason?: boolean;
  /** Further inputs, by name. */
  fields?: { name: string; label: string; value: string; hint?: string; numeric?: boolean }[];
  /** Does it and says what happened. */
  run: (reason: string, fields: Record<string, string | number>) => Promise<string>;
  /** Called after a success, when the dialog is closed. */
  done?: () => void;
}

export const TYPED_ABOVE = 100;
export const ask = signal<Ask | undefined>(undefined);
/** The last outcome, for the status region; it is shown on the page as well. */
export const said = signal<{ text: string; at: number } | undefined>(undefined);

export function say(text: string): void {
  said.value = { text, at: Date.now() };
}
