import { expect, it } from 'vitest';
import type { LookupQuestion } from '../../../../contract/lookups/lookup-request.ts';
import { historyIdOf, lookupsOf } from '../../../../functions/lookups/one-source.ts';
import { madeService } from './made-service.ts';

const known = [{ id: 'a', send: 's', createdAt: '2026-01-15T12:00:00.000Z', status: 'delivered' as const }];
const idsOf = async (lookups: ReturnType<typeof lookupsOf>, question: LookupQuestion) => {
  const answer = await lookups.ask(question, undefined);
  if (answer.kind === 'error') throw new Error(answer.error.kind);
  return answer.value.reports.map(({ messageId, sendId }) => [messageId, sendId]);
};

it('a person names a message by the id of the service, or with its source', () => {
  expect(historyIdOf('backup', 'm1')).toBe('backup/m1');
  expect(historyIdOf('backup', 'backup/m1')).toBe('backup/m1');
  expect(historyIdOf('main', 'm1')).toBe('m1');
  expect(historyIdOf('main', 'main/m1')).toBe('m1');
  expect(historyIdOf('main', 'spring/m1')).toBe('main/spring/m1');
});

it('a service is asked by its own ids, and its answers have those of the history', async () => {
  const { lookups, asked } = madeService(known);
  const backup = lookupsOf('backup', lookups);
  expect(await idsOf(backup, { operation: 'message', messageId: 'backup/a' })).toEqual([
    ['backup/a', 'backup/s'],
  ]);
  expect(await idsOf(backup, { operation: 'send', sendId: 'backup/s' })).toEqual([['backup/a', 'backup/s']]);
  expect(asked).toEqual(['message a', 'send s']);
  expect(await idsOf(lookupsOf('main', lookups), { operation: 'message', messageId: 'a' })).toEqual([
    ['a', 's'],
  ]);
});

it('the sends that a service lists are asked for by its own ids', async () => {
  const { lookups } = madeService(known, { listsSends: true });
  const range = { since: '2026-01-15T11:00:00.000Z', until: '2026-01-15T13:00:00.000Z' };
  const answer = await lookupsOf('backup', lookups).ask({ operation: 'list', ...range }, undefined);
  expect(answer).toMatchObject({ kind: 'ok', value: { sendIds: ['backup/s'] } });
});
