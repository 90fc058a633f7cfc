import { useState } from "preact/hooks";
import { post, Problem, signInLinks } from "../api";
import { enter } from "../session";
import { t } from "../text";
import { Failure } from "./basics";
import { asProblem, Dialog } from "./dialog";
import { Mark } from "./icon";

/** The first page of a closed server, or a dialog over the page whose session has ended. */
export function SignIn({ again }: { again?: boolean }) {
  return again ? (
    <Dialog close={() => undefined} narrow label="sign-in-title">
      <Form words={t.signIn.ended} />
    </Dialog>
  ) : (
    <main class="sign-in">
      <div class="dialog narrow">
        <Form words={t.signIn.first} />
      </div>
    </main>
  );
}

function Form({ words }: { words: string }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await post("session", { name, password });
      await enter();
    } catch (error) {
      setProblem(named(asProblem(error)));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <span class="wordmark">
        <Mark />
        {t.frame.product}
      </span>
      <h1 id="sign-in-title">{t.signIn.title}</h1>
      <p class="muted">{words}</p>
      <div class="field">
        <label for="sign-in-name">{t.signIn.name}</label>
        <input id="sign-in-name" class="input" autocomplete="username" required value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </div>
      <div class="field">
        <label for="sign-in-password">{t.signIn.password}</label>
        <input id="sign-in-password" class="input" type="password" autocomplete="current-password" required value={password} onInput={(event) => setPassword(event.currentTarget.value)} />
      </div>
      {problem && <Failure problem={problem} />}
      <div class="buttons end">
        {signInLinks.value.map((link) => (
          <a key={link.href} class="button" href={link.href} target="_self">
            {t.signIn.with(link.name)}
          </a>
        ))}
        <button type="submit" class="button main" disabled={busy}>
          {t.signIn.button}
        </button>
      </div>
    </form>
  );
}

function named(problem: Problem): Problem {
  if (problem.json.status === 401) return new Problem({ status: 401, code: "signed-out", title: t.signIn.wrong, do: t.signIn.wrong });
  if (problem.json.status === 429) return new Problem({ status: 429, code: "too-many", do: t.signIn.tooMany });
  return problem;
}
