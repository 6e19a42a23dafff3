import { renderEvent } from '../../../contract/events/render.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { createIds, type SampleEvent } from './sample-event.ts';

interface OddityOptions {
  readonly contract: Contract;
  readonly events: readonly SampleEvent[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: () => number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** This share of the events is sent again, at once or hours later. */
const repeatedShare = 0.02;

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What is wrong with a body that the pipeline cannot store, or with its signature. */
type Fault = 'time' | 'kind' | 'message id' | 'cut off' | 'forged' | 'new field';

/** Days before today, and hours. What a day has is about the same thing, as after a release of the service. */
const faults: readonly (readonly [Fault, number, number])[] = [
  ['time', 24, 9.3],
  ['time', 24, 9.4],
  ['time', 24, 11.1],
  ['cut off', 19, 3.2],
  ['kind', 14, 13.5],
  ['kind', 14, 13.6],
  ['kind', 14, 15.2],
  ['message id', 11, 10.4],
  ['forged', 8, 2.1],
  ['time', 4, 16.7],
  ['message id', 2, 12.3],
  ['kind', 1, 9.5],
  ['time', 1, 17.3],
  ['new field', 1, 10.2],
  ['new field', 1, 14.2],
];

/** Returns repeats of events, and events that differ from the contract. */
export function oddities({ contract, events, now, random }: OddityOptions): SampleEvent[] {
  const newId = createIds(random);
  const today = Math.floor(now / dayMs) * dayMs;
  const repeats = events
    .filter(() => random() < repeatedShare)
    .map((event) => ({ ...event, at: event.at + Math.round(random() < 0.7 ? 4000 : 5 * hourMs * random()) }));
  // The health shows the mismatches of the last hour.
  const recent = [20, 21].map((minutes) => ['forged', now - minutes * minuteMs] as const);
  const earlier = faults.map(
    ([fault, days, hour]) =>
      [fault, Math.round(today - days * dayMs + hour * hourMs + random() * minuteMs)] as const,
  );
  const faulty = [...earlier, ...recent].flatMap(([fault, at]): SampleEvent[] => {
    const body = bodyWith(contract, fault, at, newId);
    const id = newId('evt');
    return body === undefined ? [] : [{ kind: 'body', id, at, body, isForged: fault === 'forged' }];
  });
  return [...repeats, ...faulty];
}

/** Returns a body with a fault; undefined if bodies of the contract cannot have it. */
function bodyWith(
  contract: Contract,
  fault: Fault,
  at: number,
  newId: (kind: 'msg' | 'evt') => string,
): string | undefined {
  const messageId = newId('msg');
  const time = new Date(at - 1000).toISOString();
  const fields = { messageId, recipient: '+12025550161', status: 'delivered', occurredAt: time };
  const eventId = newId('evt');
  const rendered = renderEvent(contract, { kind: 'sms.status', fields, eventId });
  // A service writes more times than the contract names, and its sample has fixed ones.
  const body = Buffer.from(rendered.body)
    .toString()
    .replaceAll(isoTime, (found) => (found === time ? found : new Date(at).toISOString()));
  const edited = edit(body, fault, { messageId, time });
  return edited === body && fault !== 'forged' ? undefined : edited;
}

function edit(body: string, fault: Fault, { messageId, time }: { messageId: string; time: string }): string {
  switch (fault) {
    case 'time':
      return body.replace(time, `${time.slice(0, 10)} 24:61`);
    case 'kind':
      return body.replace('"sms.status"', '"sms.link_clicked"');
    case 'message id':
      return body.replace(messageId, '');
    case 'cut off':
      return body.slice(0, -9);
    case 'new field':
      return body.replace('"occurred_at"', '"carrier":"Example Mobile","occurred_at"');
    case 'forged':
      return body;
  }
}
