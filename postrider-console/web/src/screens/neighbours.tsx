import { href } from "../router";
import { t } from "../text";
import type { Message, MessageDetail, Neighbours } from "../types";
import { Scroll, Status, Toned, When } from "../ui/basics";

/** The messages of the same key, in the order of their delivery. */
export function Neighbourhood({ message, neighbours }: { message: MessageDetail; neighbours: Neighbours | undefined }) {
  if (message.key === undefined) return <p class="empty muted">{t.detail.noNeighbours}</p>;
  if (!neighbours) return null;
  const all = [...neighbours.before, message, ...neighbours.after].sort((a, b) => a.seq - b.seq);
  if (all.length === 1) return <p class="empty muted">{t.detail.alone}</p>;
  return (
    <Scroll label={t.detail.tabs.neighbours}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col" class="number">{t.detail.facts.seq}</th>
            <th scope="col">{t.list.columns.state}</th>
            <th scope="col">{t.list.columns.message}</th>
            <th scope="col">{t.list.columns.age}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <Row key={one.id} one={one} here={one.id === message.id} blocks={one.id === neighbours.blockedBy} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ one, here, blocks }: { one: Message; here: boolean; blocks: boolean }) {
  return (
    <tr class={here ? "chosen at" : ""}>
      <td class="number">{one.seq}</td>
      <td>
        <Status of={one} />
      </td>
      <th scope="row" class="fluid cut">
        {here ? (
          <strong>{t.detail.here}</strong>
        ) : (
          <a class="subject" href={href(["messages", one.id])}>
            {one.type}
          </a>
        )}{" "}
        {blocks && <Toned icon="keys" tone="retrying" text={t.detail.blockedBy} />}
      </th>
      <td>
        <When at={one.created} />
      </td>
    </tr>
  );
}
