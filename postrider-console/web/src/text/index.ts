import * as base from "./frame";
import * as messages from "./messages";
import * as operate from "./operate";

/** Every word of the pages. Another language replaces this bundle. */
export const t = { ...base, ...messages, ...operate };
