import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { type EventToRender, RenderError, renderEvent } from '../../../../contract/events/render.ts';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import type { SmsEvent } from '../../../../contract/schema/sms-event.ts';
import { readContract } from '../../../../local/run/contract-file.ts';
import { contracts, shippedContract } from '../../../../tools/support/contracts.ts';

const project = fileURLToPath(new URL('../../../../', import.meta.url));
const receivedAt = '2026-03-01T00:00:00.000Z';
const occurredAt = '2026-02-01T10:00:00.000Z';

function readBack(contract: Contract, event: EventToRender): SmsEvent | undefined {
  const { body } = renderEvent(contract, event);
  const mapped = createMapper(contract)(body, event.eventId, receivedAt);
  expect(mapped).toHaveLength(1);
  return mapped[0]?.kind === 'event' ? mapped[0].event : undefined;
}

const presets = readdirSync(new URL('../../../../contract/presets', import.meta.url)).map((name) => ({
  name,
  contract: readContract(project, `contract/presets/${name}`),
}));
const withEvents = [...contracts, ...presets].filter(({ contract }) =>
  contract.samples.some(({ becomes }) => becomes),
);

it('renderEvent rejects a preset that only describes a signature', () => {
  const ofSignatures = presets.filter((preset) => !withEvents.includes(preset));
  for (const { contract } of ofSignatures)
    expect(() => renderEvent(contract, { kind: 'sms.status', fields: {} })).toThrow(/samples hold no body/);
  expect(ofSignatures.map(({ name }) => name)).toContain('standard-webhooks.json');
});

describe.each(withEvents)('events by $name', ({ contract }) => {
  const { status, reply } = contract.events;

  it.each([...new Set(Object.values(contract.statuses))])('are read as the requested report: %s', (word) => {
    const fields = { messageId: 'm-77', recipient: '+12025550199', status: word, occurredAt };
    expect(readBack(contract, { kind: 'sms.status', fields, eventId: 'evt-5' })).toMatchObject({
      kind: 'sms.status',
      messageId: 'm-77',
      status: word,
      occurredAt: status.occurredAt === null ? receivedAt : occurredAt,
      ...(status.recipient === null ? {} : { phone: '+12025550199' }),
    });
  });

  it('are read as the requested reply', () => {
    const fields = { replyId: 'r-9', from: '+12025550198', text: 'héllo & bye', occurredAt };
    expect(readBack(contract, { kind: 'sms.reply', fields, eventId: 'evt-5' })).toMatchObject({
      kind: 'sms.reply',
      ...(reply.replyId === null ? {} : { replyId: 'r-9' }),
      from: '+12025550198',
      text: 'héllo & bye',
      occurredAt: reply.occurredAt === null ? receivedAt : occurredAt,
    });
  });

  it('are complete events if the caller gives no field', () => {
    expect(readBack(contract, { kind: 'sms.status', fields: {} })).toMatchObject({ kind: 'sms.status' });
    expect(readBack(contract, { kind: 'sms.reply', fields: {} })).toMatchObject({ kind: 'sms.reply' });
  });
});

/** The shipped contract, with other expressions for fields of a report. */
function reading(
  status: Partial<Contract['events']['status']>,
  kind = shippedContract.events.kind,
): Contract {
  const { events } = shippedContract;
  return { ...shippedContract, events: { ...events, kind, status: { ...events.status, ...status } } };
}

describe('a field whose expression is more than a path', () => {
  const report = (fields: Record<string, string>) => ({ kind: 'sms.status', fields }) as const;
  const sent = (contract: Contract, fields: Record<string, string>): unknown =>
    JSON.parse(Buffer.from(renderEvent(contract, report(fields)).body).toString());

  it('is a number if a sample has one there, and a text of digits otherwise', () => {
    const cost = { price: '0.0079', currency: 'USD', segments: '3', network: '310410' };
    expect(sent(shippedContract, cost)).toMatchObject({ data: { ...cost, segments: 3 } });
    const [sample] = shippedContract.samples;
    if (sample === undefined) throw new Error('no sample');
    const { body: _, ...rest } = sample;
    const data = { id: 'm', status: 'delivered', occurred_at: '2026-01-15T12:00:05Z' };
    const bare = { ...rest, body: { type: 'sms.status', data } };
    const contract = { ...shippedContract, samples: [bare, ...shippedContract.samples] };
    expect(sent(contract, { status: 'delivered', ...cost })).toMatchObject({ data: { segments: 3 } });
  });

  it('is written to the first of several paths that it is read from again', () => {
    const contract = reading({
      errorText: "contains(['a', 'b'], data.kind) && data.kind || data.other[0].text",
    });
    expect(sent(contract, { errorText: 'a' })).toMatchObject({ data: { kind: 'a' } });
    expect(sent(contract, { errorText: 'c' })).toMatchObject({ data: { other: [{ text: 'c' }] } });
    expect(sent(contract, { errorText: 'c' })).not.toHaveProperty('data.kind');
  });

  it('is left out of all of several paths if it is missing, unless another expression needs the path', () => {
    const word = { status: 'undelivered' };
    expect(sent(reading({}), word)).not.toHaveProperty('data.error_code');
    expect(sent(reading({ errorCode: 'data.code || data.error_code' }), word)).not.toHaveProperty(
      'data.error_code',
    );
    expect(sent(reading({}, "data.error_code && 'sms.status'"), word)).toHaveProperty('data.error_code');
  });

  it('is rejected if its expression would not read the value again', () => {
    const contract = reading({ errorText: "join('-', [data.a, data.b])" });
    expect(() => renderEvent(contract, report({ errorText: 'x' }))).toThrow(RenderError);
    expect(sent(contract, { status: 'delivered' })).toMatchObject({ data: { status: 'delivered' } });
  });

  it('is rejected if another field is read from the same place', () => {
    const contract = reading({ errorCode: 'data.status' });
    expect(() => renderEvent(contract, report({ status: 'failed', errorCode: '7' }))).toThrow(
      /would read another value of "status"/,
    );
  });

  it('is rejected if it would change the kind of the event', () => {
    const contract = reading({ errorText: 'type' });
    expect(() => renderEvent(contract, report({ errorText: 'sms.reply' }))).toThrow(
      /not read these fields as sms.status/,
    );
  });
});

it('renderEvent writes the id into an expression that shares places with missing fields', () => {
  const contract = { ...shippedContract, events: { ...shippedContract.events } };
  contract.events.id = { from: 'body', path: "data.sub && join(':', [data.id, data.sub]) || data.id" };
  const reply = (fields: Record<string, string>) =>
    readBack(contract, { kind: 'sms.reply', fields, eventId: 'evt-5' });
  expect(reply({})).toMatchObject({ eventId: 'evt-5', replyId: 'evt-5' });
  expect(reply({ replyId: 'r-9' })).toMatchObject({ eventId: 'r-9', replyId: 'r-9' });
});

it('renderEvent writes a report on the sample with that status, alone in its list', () => {
  const [first] = shippedContract.samples;
  const of = (status: string) => ({
    type: 'sms.status',
    data: { id: 'm', status, occurred_at: occurredAt, note: status },
  });
  const samples = [{ ...first, name: 'two', body: [of('sent'), of('failed')] }];
  const contract = { ...shippedContract, samples, events: { ...shippedContract.events, list: '@' } };
  const { body } = renderEvent(contract, { kind: 'sms.status', fields: { status: 'failed' } });
  expect(JSON.parse(Buffer.from(body).toString())).toMatchObject([{ data: { note: 'failed' } }]);
});
