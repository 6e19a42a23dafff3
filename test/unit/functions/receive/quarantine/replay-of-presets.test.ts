import { describe, expect, it } from 'vitest';
import { bodyOfSample, parseContract, requestOfSample } from '../../../../../contract/document/parse.ts';
import { identityHash } from '../../../../../contract/events/body.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import type { Contract } from '../../../../../contract/schema/contract-schema.ts';
import { requestForm } from '../../../../../contract/schema/request-form.ts';
import shipped from '../../../../../contract.json' with { type: 'json' };
import { type Envelope, encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { quarantineId } from '../../../../../functions/receive/quarantine/quarantine.ts';
import { replayableRequest } from '../../../../../functions/receive/quarantine/replayable-request.ts';
import { presetContracts } from '../../../../support/preset-contracts.ts';
import { queueMessage, receivedAt } from '../worker/queue-messages.ts';
import { workerUnderTest } from '../worker/worker-under-test.ts';

/** What the worker stores and keeps of requests. */
async function work(contract: Contract, envelopes: readonly Envelope[]) {
  const worker = workerUnderTest({ contract });
  const batch = envelopes.map((envelope, index) => queueMessage(`${index}`, encodeEnvelope(envelope)));
  expect(await worker.work(batch)).toEqual([]);
  const { messages, replies, quarantined } = worker;
  const identity = identityHash(contract);
  return {
    stored: [
      ...messages.flatMap(({ messageId, events }) => [...events.keys()].map((id) => [messageId, id])),
      ...replies.flatMap(({ replyId, current, olderVersions }) =>
        [current.eventId, ...olderVersions.keys()].map((id) => [replyId, id]),
      ),
    ].sort(),
    kept: quarantined.map((entry) => ({ ...entry, id: quarantineId(entry), identity })),
  };
}

/** What is stored after the contract was whole from the beginning, and after it was broken at first and every entry was replayed. */
async function inBothWays(contract: Contract, broken: Contract, envelope: Envelope) {
  const direct = await work(contract, [envelope]);
  const first = await work(broken, [envelope]);
  const reading = { source: 'main', contract, map: createMapper(contract) };
  const replays = first.kept.map((entry) => replayableRequest(entry, reading));
  const again = await work(
    contract,
    replays.flatMap((replay) => ('envelope' in replay ? replay.envelope : [])),
  );
  const stays = replays.flatMap((replay) => ('stays' in replay ? replay.stays : []));
  const ids = (all: readonly unknown[]) => [...new Set(all.map((one) => JSON.stringify(one)))].sort();
  return {
    kept: first.kept.length,
    direct: { stored: ids(direct.stored), stays: [] },
    replayed: { stored: ids([...first.stored, ...again.stored]), stays },
  };
}

describe.each(presetContracts)('what is kept of the samples of $name', ({ contract }) => {
  const { events } = contract;
  it.each<[string, Contract]>([
    ['kinds', { ...contract, events: { ...events, kind: "'other'" } }],
    ['statuses', { ...contract, events: { ...events, status: { ...events.status, status: 'nowhere' } } }],
    ['senders', { ...contract, events: { ...events, reply: { ...events.reply, from: 'nowhere' } } }],
  ])('counts after a replay, where the contract could not read the %s', async (_, broken) => {
    let kept = 0;
    // Some samples show a signature alone.
    for (const sample of contract.samples.filter(({ becomes }) => becomes !== undefined)) {
      const request = requestOfSample(sample);
      const envelope = {
        requestId: 'req',
        receivedAt,
        signedId: 'evt',
        body: bodyOfSample(sample, requestForm(contract.webhook, sample.method)),
        ...request,
      };
      const both = await inBothWays(contract, broken, envelope);
      expect(both.replayed).toEqual(both.direct);
      kept += both.kept;
    }
    expect(kept).toBeGreaterThan(0);
  });
});

describe('a list that finds no event in a body of its own', () => {
  const report = (id: string, status = 'sent') => ({
    type: 'sms.status',
    data: { id, status, occurred_at: '2026-01-15T12:00:00.000Z' },
  });
  const contractOf = (list: string, kind = shipped.events.kind) =>
    parseContract({ ...shipped, events: { ...shipped.events, list, kind }, samples: [] });
  const kind = "data.id == 'm2' && 'other' || type";

  it.each<[string, unknown, number]>([
    ['[first, second][]', { first: [report('m1')], second: [report('m2'), report('m3')] }, 1],
    ['[first, second][]', { first: report('m2'), second: report('m2', 'delivered') }, 2],
    [
      'powertools_json(payload) | items',
      { payload: JSON.stringify({ items: [report('m1'), report('m2')] }) },
      1,
    ],
    ['[powertools_json(payload)]', { payload: JSON.stringify(report('m2')) }, 1],
    ['values(@)', { a: report('m2'), b: report('m1') }, 1],
  ])('leaves a whole body, which counts after a replay: %s', async (list, body, unread) => {
    const envelope = {
      requestId: 'req',
      receivedAt,
      signedId: 'evt',
      body: Buffer.from(JSON.stringify(body)),
    };
    const first = await work(contractOf(list, kind), [envelope]);
    // One entry, however many events of the body cannot be read.
    expect(first.kept).toMatchObject([{ raw: envelope.body, reason: 'unknown-kind', field: 'kind' }]);
    expect(first.stored).toHaveLength((first.kept[0]?.eventsInBody ?? 0) - unread);
    const both = await inBothWays(contractOf(list), contractOf(list, kind), envelope);
    expect(both.replayed).toEqual(both.direct);
  });

  it('is replayed under other rules for ids only if the body had one event', async () => {
    const before = contractOf('[first, second][]', kind);
    const after = contractOf('[second, first][]');
    const envelope = (body: unknown) => ({
      requestId: 'req',
      receivedAt,
      signedId: 'evt',
      body: Buffer.from(JSON.stringify(body)),
    });
    const several = await inBothWays(after, before, envelope({ first: report('m1'), second: report('m2') }));
    expect(several.replayed.stays).toEqual(['unidentifiable']);
  });
});
