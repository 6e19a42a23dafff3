import { expect, it } from 'vitest';
import { parseContract } from '../../../../../contract/document/parse.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import shipped from '../../../../../contract.json' with { type: 'json' };
import { encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { quarantineId } from '../../../../../functions/receive/quarantine/quarantine.ts';
import { replayableRequest } from '../../../../../functions/receive/quarantine/replayable-request.ts';
import { queueMessage, receivedAt } from '../worker/queue-messages.ts';
import { workerUnderTest } from '../worker/worker-under-test.ts';

const report = {
  type: 'sms.status',
  data: { id: 'm1', status: 'sent', to: '+12025550143', occurred_at: 'soon' },
};
const contractWith = (status: object, list = '[?type]') =>
  parseContract({
    ...shipped,
    events: { ...shipped.events, list, status: { ...shipped.events.status, ...status } },
    samples: [],
  });

it('an event can be replayed if the list of the contract leaves the rest of its body out', async () => {
  const { work, quarantined } = workerUnderTest({ contract: contractWith({}) });
  const body = Buffer.from(JSON.stringify([report, { x: 1 }]));
  await work([queueMessage('1', encodeEnvelope({ requestId: 'req', receivedAt, signedId: 'evt', body }))]);
  const entry = quarantined.find(({ reason }) => reason === 'bad-time');
  if (entry === undefined) throw new Error('expected an entry of the event');
  const corrected = contractWith({ occurredAt: null });
  const read = replayableRequest(
    { ...entry, id: quarantineId(entry) },
    { source: 'main', contract: corrected, map: createMapper(corrected), acceptsDuplicates: true },
  );
  expect(read).not.toHaveProperty('stays');
});

it('a body whose events cannot be kept alone has the reason that a correction of the contract removes', async () => {
  const { work, quarantined } = workerUnderTest({ contract: contractWith({}, 'values(@)') });
  const sent = { ...report, data: { ...report.data, occurred_at: receivedAt } };
  const send = (requestId: string, events: object) => {
    const body = Buffer.from(JSON.stringify(events));
    return work([
      queueMessage(requestId, encodeEnvelope({ requestId, receivedAt, signedId: requestId, body })),
    ]);
  };
  for (let index = 0; index < 100; index += 1) await send(`full-${index}`, { a: sent });
  expect(quarantined).toEqual([]);
  await send('both', { a: { type: 'other', data: {} }, b: sent });
  expect(quarantined.map(({ reason }) => reason)).toEqual(['unknown-kind']);
});
