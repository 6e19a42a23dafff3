import fc from 'fast-check';
import { compileExpression, encodeForm, parseBody } from '../../contract/events/body.ts';
import { isPlain, placesIn, putAt } from '../../contract/events/places.ts';
import { renderEvent } from '../../contract/events/render.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { Envelope } from '../../functions/receive/envelope.ts';

export const phone = '+12025550143';
const startedAt = Date.parse('2026-01-15T12:00:00.000Z');

/** So many minutes after noon. */
export const minute = (minutes: number): string => new Date(startedAt + minutes * 60_000).toISOString();

/** A reply that says STOP or START, and when each of its copies is received. */
export interface SaidReply {
  /** Two replies with the same id: the service used it twice. */
  readonly id: string;
  readonly state: 'out' | 'in';
  /** Minutes, by the service's clock. */
  readonly saidAt: number;
  /** Minutes, one for each copy. */
  readonly receivedAt: readonly number[];
  /** What is wrong with it: then it goes to quarantine. */
  readonly damage?: Damage;
}

/** A recipient that is no text, a time that is none, no time at all. */
type Damage = 'odd-recipient' | 'bad-time' | 'no-time';

/** The requests that bring the copies of a reply, as the service of a contract writes them. */
export function envelopesOf(contract: Contract, reply: SaidReply, run = ''): Envelope[] {
  const { events } = contract;
  const id = `${run}${reply.id}`;
  const rendered = renderEvent(contract, {
    kind: 'sms.reply',
    fields: {
      from: phone,
      text: reply.state === 'out' ? 'STOP' : 'START',
      ...(events.reply.to === null ? {} : { to: '+12025550100' }),
      ...(events.reply.replyId === null ? {} : { replyId: id }),
      ...(events.reply.occurredAt === null ? {} : { occurredAt: minute(reply.saidAt) }),
    },
    eventId: id,
  });
  const body = damaged(contract, rendered.body, reply.damage);
  return reply.receivedAt.map((received, copy) => ({
    requestId: `request-${id}-${reply.state}-${reply.saidAt}-${copy}`,
    receivedAt: minute(received),
    ...(events.id.from === 'signed-id' ? { signedId: id } : {}),
    body,
  }));
}

/** Whether a reply of this contract can be damaged so; without a time of its own nothing is wrong with its time. */
function canBeDamaged({ events }: Contract, damage: Damage): boolean {
  const expression = damage === 'odd-recipient' ? events.reply.to : events.reply.occurredAt;
  return expression !== null && isPlain(expression);
}

function damaged(contract: Contract, body: Uint8Array, damage: Damage | undefined): Uint8Array {
  if (damage === undefined || !canBeDamaged(contract, damage)) return body;
  const { events, webhook } = contract;
  const parsed = parseBody(webhook, body);
  if (parsed.kind === 'unreadable') throw new Error('the rendered body cannot be read');
  const [event] = compileExpression(events.list)(parsed.value) as [object];
  const expression = (damage === 'odd-recipient' ? events.reply.to : events.reply.occurredAt) ?? '';
  const value = { 'odd-recipient': ['+12025550100', 'x'], 'bad-time': 'soon', 'no-time': undefined }[damage];
  for (const place of placesIn(expression)) putAt(event, place, value);
  return webhook.bodyFormat === 'form' ? encodeForm(parsed.value) : Buffer.from(JSON.stringify(parsed.value));
}

/** Few ids and minutes, so that many replies compete for one moment; some say a time far ahead. */
export const saidReplies: fc.Arbitrary<SaidReply[]> = fc.array(
  fc.record(
    {
      id: fc.constantFrom('r-1', 'r-2', 'r-3', 'r-4'),
      state: fc.constantFrom('out', 'in'),
      saidAt: fc.oneof({ weight: 5, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.nat(100_000) }),
      receivedAt: fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }),
      damage: fc.constantFrom<Damage>('odd-recipient', 'bad-time', 'no-time'),
    },
    { requiredKeys: ['id', 'state', 'saidAt', 'receivedAt'] },
  ),
  { minLength: 1, maxLength: 5 },
);

/** What the register must say of the number, computed from all copies at once. */
export function expectedState(
  contract: Contract,
  replies: readonly SaidReply[],
): { readonly state: 'out' | 'in'; readonly changedAt: string } {
  const { id, reply: expressions } = contract.events;
  const times = new Map<string, { state: 'out' | 'in'; time: number }>();
  for (const { id: replyId, state, saidAt, receivedAt, damage } of replies) {
    const wrong = damage !== undefined && canBeDamaged(contract, damage) ? damage : 'none';
    const hasTime = expressions.occurredAt !== null && wrong !== 'bad-time' && wrong !== 'no-time';
    const isContent = id.from === 'content' && expressions.occurredAt !== null;
    // Nothing but its receipt distinguishes another reply from a copy.
    const isDistinct = expressions.replyId !== null || expressions.occurredAt !== null;
    const hasIdOfRecipient =
      id.from === 'body' && expressions.to !== null && id.path.split(/\W+/).includes(expressions.to);
    const keyOf = (received: number) => [
      ...(isDistinct ? [replyId] : [received]),
      state,
      // Without a readable recipient such an id is that of the content.
      ...(hasIdOfRecipient && wrong === 'odd-recipient' ? [wrong, saidAt] : []),
      ...(!isDistinct && wrong === 'odd-recipient' ? [wrong] : []),
      ...(isContent ? [wrong, wrong === 'bad-time' || wrong === 'no-time' ? '' : saidAt] : []),
    ];
    for (const received of receivedAt) {
      const latest = state === 'out' ? received + 5 : received;
      // No time is more than a day after the receipt.
      const time = hasTime && saidAt <= received + 24 * 60 ? Math.min(saidAt, latest) : received;
      const key = keyOf(received).join();
      times.set(key, { state, time: Math.min(time, times.get(key)?.time ?? time) });
    }
  }
  const newest = Math.max(...[...times.values()].map(({ time }) => time));
  const says = [...times.values()].filter(({ time }) => time === newest).map(({ state }) => state);
  return { state: says.includes('out') ? 'out' : 'in', changedAt: minute(newest) };
}
