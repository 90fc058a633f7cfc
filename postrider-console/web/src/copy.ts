/** Copies text, also where the page is served without TLS and the clipboard is closed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "off-screen";
    area.setAttribute("readonly", "");
    const open = [...document.querySelectorAll("dialog[open]")].at(-1);
    (open ?? document.body).append(area);
    area.select();
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    } finally {
      area.remove();
    }
  }
}

/** A word for a POSIX shell. */
export function shell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

/** The end of a command that changes something; without it the command only says what it would do. */
export function decided(reason: string): string[] {
  return ["--execute", "--reason", reason.trim() === "" ? "…" : reason.trim()];
}

/** A command line of ours. */
export function command(...words: string[]): string {
  return ["./postrider", ...words.map(shell)].join(" ");
}
