import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createMapper } from '../../../contract/events/mapping.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';

const page = readFileSync(new URL('../../../docs/guides/field-changed.md', import.meta.url), 'utf8');

/** The rows of the table: the fields, and what happens without one of them. */
const rows = [...page.matchAll(/^\| (`.+?) \| (.+?) \|/gm)].map(
  ([, fields = '', outcome = '']) => [fields, outcome] as const,
);

const receivedAt = '2026-01-15T12:02:00.000Z';

/** Reads a sample of the contract in which the field of the service has another name. */
function readWithout(contract: Contract, kind: 'status' | 'reply', field: string) {
  const [status, reply] = contract.samples ?? [];
  const { type, data } = JSON.parse(JSON.stringify((kind === 'status' ? status : reply)?.body));
  const { [field]: value, ...others } = data;
  expect(value, field).toBeDefined();
  const body = Buffer.from(JSON.stringify({ type, data: { ...others, renamed: value } }));
  const [mapped] = createMapper(contract)(body, 'signed-1', receivedAt);
  return mapped;
}

const outcomeOf = (name: string) => rows.find(([fields]) => fields.includes(`\`${name}\``))?.[1] ?? '';

it.each([
  ['events.status.messageId', 'status', 'id'],
  ['events.status.status', 'status', 'status'],
  ['events.reply.from', 'reply', 'from'],
] as const)('without %s an event goes to quarantine, as the page says', (name, kind, field) => {
  expect(outcomeOf(name)).toMatch(/goes to quarantine/);
  expect(readWithout(shippedContract, kind, field)).toMatchObject({ kind: 'unreadable' });
});

it.each([
  ['events.reply.text', 'reply', 'text', { text: '', original: expect.stringContaining('renamed') }],
  ['events.*.occurredAt', 'status', 'occurred_at', { timeIs: 'received', occurredAt: receivedAt }],
  ['events.status.recipient', 'status', 'to', { messageId: 'msg-0001' }],
  ['sendId', 'status', 'send_id', { messageId: 'msg-0001' }],
  ['errorCode', 'status', 'error_code', { messageId: 'msg-0001' }],
  ['price', 'status', 'price', { messageId: 'msg-0001' }],
  ['segments', 'status', 'segments', { messageId: 'msg-0001' }],
  ['network', 'status', 'network', { messageId: 'msg-0001' }],
  ['messageId', 'reply', 'message_id', { from: '+12025550143' }],
] as const)('without %s an event is stored, as the page says', (name, kind, field, event) => {
  expect(outcomeOf(name)).not.toBe('');
  expect(outcomeOf(name)).not.toMatch(/goes to quarantine/);
  const mapped = readWithout(shippedContract, kind, field);
  expect(mapped).toMatchObject({ kind: 'event', event });
  if (name === 'events.status.recipient') expect(mapped).not.toHaveProperty('event.phone');
});
