import { renderEvent } from '../../../contract/events/render.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { Capture } from '../../../discovery/captured/capture.ts';
import { discover } from '../../../discovery/discovery.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';

const noon = Date.parse('2026-01-15T12:00:00.000Z');

/** What a service sends in a while: reports of ten messages, each sent and then final, and a reply to every other. */
export function eventsOf(contract: Contract): Capture[] {
  const has = (kind: 'status' | 'reply', field: string) =>
    Object.entries<string | null>(contract.events[kind]).some(
      ([name, path]) => name === field && path !== null,
    );
  const only = (kind: 'status' | 'reply', fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => has(kind, field)));
  const at = (second: number) => new Date(noon + second * 1000).toISOString();
  return Array.from({ length: 10 }).flatMap((_, index) => {
    const messageId = idOf('a', index);
    const person = `+120255501${String(20 + index)}`;
    const report = (status: string, second: number) =>
      captureOf(contract, second, {
        kind: 'sms.status',
        fields: only('status', { messageId, recipient: person, status, occurredAt: at(second) }),
        eventId: idOf('e', second),
      });
    const reply = captureOf(contract, 60 * index + 30, {
      kind: 'sms.reply',
      fields: only('reply', {
        replyId: idOf('b', index),
        from: person,
        to: '+12025550100',
        text: `Thanks ${index} times`,
        occurredAt: at(60 * index + 30),
      }),
      eventId: idOf('f', index),
    });
    return [
      report('sent', 60 * index + 1),
      report(index % 3 === 0 ? 'undelivered' : 'delivered', 60 * index + 9),
      ...(index % 2 === 0 ? [reply] : []),
    ];
  });
}

function idOf(letter: string, number: number): string {
  return `${letter}${String(number * 7919 + 1_000_003).padStart(9, '0')}`;
}

function captureOf(contract: Contract, second: number, event: Parameters<typeof renderEvent>[1]): Capture {
  const { body, contentType } = renderEvent(contract, event);
  return captureWith(body, contentType, new Date(noon + second * 1000 + 700).toISOString());
}

export function captureWith(body: Uint8Array, contentType: string, receivedAt: string): Capture {
  return {
    name: 'a capture',
    method: 'POST',
    url: 'https://hooks.example.com/webhooks/sms',
    headers: { 'Content-Type': contentType },
    body,
    receivedAt,
  };
}

/** What is found where nothing is known but the captures, and every guess is taken. */
export function found(captures: readonly Capture[], contract: Contract = shippedContract) {
  return discover(
    captures,
    () => [],
    contract,
    noon,
    async (proposals) => proposals,
  );
}
