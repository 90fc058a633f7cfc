import { useEffect, useState } from "preact/hooks";
import { AskDialog } from "./ui/dialog";
import { BulkDialog } from "./ui/bulk-dialog";
import { KeyHelp } from "./ui/key-help";
import { Nav } from "./ui/nav";
import { Failure, Skeleton } from "./ui/basics";
import { SignIn } from "./ui/sign-in";
import { Page } from "./ui/page";
import { said } from "./actions";
import { Problem, signedOut } from "./api";
import { keyHelp } from "./keys";
import { asProblem } from "./ui/dialog";
import { overview } from "./live";
import { place } from "./router";
import { enter, me, sources } from "./session";
import { t } from "./text";
import { AlertsScreen } from "./screens/alerts";
import { AuditScreen } from "./screens/audit";
import { BulkDetail, BulkScreen } from "./screens/bulk";
import { DeadScreen } from "./screens/dead";
import { DevScreen } from "./screens/dev";
import { EditScreen } from "./screens/edit";
import { InboxScreen } from "./screens/inbox";
import { KeysScreen } from "./screens/keys";
import { MessageScreen } from "./screens/message";
import { MessagesScreen } from "./screens/messages";
import { OverviewScreen } from "./screens/overview";
import { RelaysScreen } from "./screens/relays";
import { SagaScreen } from "./screens/saga";
import { SagasScreen } from "./screens/sagas";
import { SettingsScreen } from "./screens/settings";
import { TopicsScreen } from "./screens/topics";

const RETRY_MILLIS = 3000;

export function App() {
  const [problem, setProblem] = useState<Problem | undefined>();
  const known = me.value !== undefined && sources.value !== undefined;
  useEffect(() => {
    if (known) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const start = () =>
      enter().then(
        () => setProblem(undefined),
        (error: unknown) => {
          if (signedOut.value) return;
          setProblem(asProblem(error));
          timer = setTimeout(() => void start(), RETRY_MILLIS);
        },
      );
    void start();
    return () => clearTimeout(timer);
  }, [known]);
  if (!known && signedOut.value) return <SignIn />;
  return (
    <>
      <div class="frame">
        <a class="skip" href="#content" onClick={skip}>
          {t.frame.skip}
        </a>
        <Nav />
        {known ? (
          <Screen key={sources.value?.sources.length} />
        ) : (
          <Page title={t.frame.product}>{problem ? <Failure problem={problem} /> : <Skeleton />}</Page>
        )}
      </div>
      <AskDialog />
      <BulkDialog />
      {keyHelp.value && <KeyHelp />}
      {known && signedOut.value && <SignIn again />}
      <Announcer />
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  const heading = document.querySelector<HTMLElement>("#content");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}

function Screen() {
  const [name = "", id, verb] = place.value.path;
  switch (name) {
    case "":
      return <OverviewScreen />;
    case "messages":
      if (id === undefined) return <MessagesScreen />;
      return verb === "edit" ? <EditScreen key={id} id={id} /> : <MessageScreen key={id} id={id} />;
    case "dead":
      return <DeadScreen />;
    case "relays":
      return <RelaysScreen />;
    case "topics":
      return <TopicsScreen />;
    case "keys":
      return <KeysScreen />;
    case "inbox":
      return <InboxScreen />;
    case "sagas":
      return id === undefined ? <SagasScreen /> : <SagaScreen key={id} id={id} />;
    case "alerts":
      return <AlertsScreen />;
    case "bulk":
      return id === undefined ? <BulkScreen /> : <BulkDetail key={id} id={id} />;
    case "audit":
      return <AuditScreen />;
    case "settings":
      return <SettingsScreen />;
    case "dev":
      return <DevScreen />;
    default:
      return (
        <Page title={t.frame.unknownScreen}>
          <p>{t.frame.unknownScreenDo}</p>
        </Page>
      );
  }
}

const QUIET_MILLIS = 10_000;

/** The one status region: outcomes at once, the verdict when it changes and at most every ten seconds. */
function Announcer() {
  const [text, setText] = useState("");
  const sentence = overview.value?.verdict.code;
  useEffect(() => {
    const timer = setTimeout(() => setText(overview.value?.verdict.sentence ?? ""), QUIET_MILLIS);
    return () => clearTimeout(timer);
  }, [sentence]);
  useEffect(() => {
    if (said.value) setText(said.value.text);
  }, [said.value]);
  return (
    <div class="off-screen" role="status">
      {text}
    </div>
  );
}
