import { describe, expect, it } from 'vitest';
import { readContractToTest } from '../../../cli/input/contract-file.ts';
import { shippedContracts } from '../../../contract/document/contract-file-store.ts';
import { bodyOfSample, parseContract } from '../../../contract/document/parse.ts';
import { createMapper } from '../../../contract/events/mapping.ts';
import { RenderError } from '../../../contract/events/render.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { contractToWrite } from '../../../discovery/contract-to-write.ts';
import { contracts, shippedContract } from '../../../tools/support/contracts.ts';
import { captureWith, eventsOf, found } from './services.ts';

const presets = await Promise.all(
  shippedContracts().map(async (path) => ({
    name: path.split('/').at(-1) ?? path,
    contract: await readContractToTest(path),
  })),
);
/** Statuses that are numbers or single letters have to be mapped by hand. */
const hasWords = ({ statuses }: Contract) => Object.keys(statuses).some((word) => /[a-z]{2}/i.test(word));
const services = [...contracts, ...presets].filter(({ contract }) => hasWords(contract));
/** Events rendered on their samples contradict themselves, because a second time or status stays as in the sample. */
const contradictory = [
  'aws-end-user-messaging-bare.json',
  'aws-end-user-messaging-eventbridge.json',
  'bird-channels.json',
  'bulksms.json',
  'infobip.json',
  'messagemedia.json',
  'sinch-conversation.json',
  'termii.json',
];
/** A person must map statuses that are single letters. */
const lettered = ['textlocal.json'];
/** Reports name a batch and a recipient: which of them makes a message's id cannot be seen. */
const ofBatches = [
  'gatewayapi.json',
  'messagebird-sms.json',
  'messagebird-sms-hmac.json',
  'sinch-sms.json',
  'sinch-sms-basic.json',
];
/** Reports have two times, or times of a zone that no body names. */
const ofUnclearTimes = ['messagemedia.json', 'seven.json'];
const rendered = services.flatMap(({ name, contract }) => {
  if ([...contradictory, ...lettered].includes(name)) return [];
  try {
    return [{ name, captures: eventsOf(contract), contract }];
  } catch (error) {
    // A preset that only describes a signature has no events.
    if (error instanceof RenderError) return [];
    throw error;
  }
});
/** A person must map pictures, parts, what a service says of opt-outs, and words or times in several places. */
const isMapped = (event: Readonly<Record<string, unknown>>) =>
  ['media', 'part', 'partId', 'optOut'].some((field) => field in event) ||
  event.timeIs === 'received' ||
  String(event.text).includes('\n');
const sampled = services.flatMap(({ name, contract }) => {
  const { bodyFormat } = contract.webhook;
  const type = bodyFormat === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const captures = contract.samples
    .filter(({ becomes }) => becomes !== undefined && !becomes.some(isMapped))
    .map((sample) => captureWith(bodyOfSample(sample, { bodyFormat }), type, '2026-01-15T12:10:00.000Z'));
  return captures.length < 2 || [...ofBatches, ...ofUnclearTimes].includes(name)
    ? []
    : [{ name, captures, contract }];
});

/** Reads the facts that every contract must find, without the fields that only some samples show. */
function readBy(
  contract: Contract,
  bodies: readonly { readonly body: Uint8Array; readonly receivedAt?: string }[],
) {
  const map = createMapper(contract);
  return bodies.flatMap(({ body, receivedAt = '' }) =>
    map(body, 'evt', receivedAt).map((outcome) => {
      if (outcome.kind === 'unreadable') return outcome;
      const { event } = outcome;
      return event.kind === 'sms.status'
        ? {
            kind: event.kind,
            messageId: event.messageId,
            phone: event.phone,
            status: event.status,
            at: event.occurredAt,
          }
        : { kind: event.kind, from: event.from, text: event.text, at: event.occurredAt };
    }),
  );
}

describe('discovery, from the events of a service', () => {
  it.each(rendered)(
    '$name: makes a contract that reads them as its own contract does',
    async ({ captures, contract }) => {
      const discovery = await found(captures);
      expect(discovery.proposals.filter(({ value }) => value === undefined)).toEqual([]);
      expect(readBy(discovery.contract, captures)).toEqual(readBy(contract, captures));
      const { length } = captures;
      expect(discovery.reads).toEqual({ events: length, of: length, problems: [], withoutCountry: 0 });
    },
  );

  it.each(rendered)(
    '$name: makes a contract whose samples hold and show no personal data',
    async ({ captures }) => {
      const { contract, missing } = contractToWrite(await found(captures), shippedContract) ?? {};
      expect(missing).toEqual(['No signature scheme was found: webhook.signature stays as it is.']);
      const written = JSON.stringify(contract);
      expect(parseContract(JSON.parse(written)).samples.length).toBeGreaterThanOrEqual(4);
      const ids = captures.flatMap(
        ({ body }) =>
          Buffer.from(body)
            .toString()
            .match(/[abef]\d{9}/g) ?? [],
      );
      expect(ids.filter((id) => written.includes(id))).toEqual([]);
      expect(written).not.toMatch(/20255501[2-3]\d|Thanks \d/);
    },
  );

  it.each(sampled)('$name: reads its few samples alike', async ({ captures, contract }) => {
    const { defaultCountry } = contract.events;
    const events = { ...shippedContract.events, defaultCountry };
    const { contract: own } = await found(captures, { ...shippedContract, events });
    const [mine, theirs] = [readBy(own, captures), readBy(contract, captures)];
    const { status, reply } = contract.events;
    const isTimed = { 'sms.status': status.occurredAt !== null, 'sms.reply': reply.occurredAt !== null };
    // A preset may leave a time of the envelope out.
    const comparable = (events: typeof mine) =>
      events.map((event) => ({
        ...event,
        status: '',
        ...('at' in event && !isTimed[event.kind] ? { at: '' } : {}),
      }));
    expect(comparable(mine)).toEqual(comparable(theirs));
  });
});

it('requests that a service sent again show nothing new', async () => {
  const noon = '2026-01-15T12:00:00.000Z';
  const report = (status: string, id: string) =>
    captureWith(Buffer.from(JSON.stringify({ id, to: '+12025550143', status })), 'application/json', noon);
  const once = await found([report('delivered', 'm-1')]);
  const again = await found([0, 1, 2].map(() => report('delivered', 'm-1')));
  expect(again).toMatchObject({ bodiesUsed: 1, repeats: 2, proposals: once.proposals });
});

it('the fields of an error stay a question if failures alone have a field that no name explains', async () => {
  const noon = '2026-01-15T12:00:00.000Z';
  const report = (status: string, id: string, more: object = {}) =>
    captureWith(
      Buffer.from(JSON.stringify({ id, to: '+12025550143', status, ...more })),
      'application/json',
      noon,
    );
  const certaintyIn = async (more: object) => {
    const { proposals } = await found([report('delivered', 'm-1'), report('failed', 'm-2', more)]);
    return proposals.find(({ key }) => key === 'events.status.errorCode');
  };
  expect(await certaintyIn({})).toMatchObject({ value: null, isCertain: true });
  expect(await certaintyIn({ zzz: 'F7' })).toMatchObject({ value: null, isCertain: false });
});

it('discovery reads bodies with several events and unknown words', async () => {
  const noon = '2026-01-15T12:00:00.000Z';
  const reports = [0, 1, 2].map((body) => ({
    sent: noon,
    reports: [0, 1, 2].map((one) => ({
      message_ref: `m-${body}-${one}00`,
      number: `1202555011${one}`,
      state: one === 1 ? 'HELD' : 'DELIVRD',
    })),
  }));
  const captures = reports.map((one) =>
    captureWith(Buffer.from(JSON.stringify(one)), 'application/json', noon),
  );
  const { contract, reads, proposals } = await found(captures);
  expect(contract.events.list).toBe('reports[]');
  expect(reads).toMatchObject({ events: 9, of: 9 });
  expect(proposals).toContainEqual(
    expect.objectContaining({ key: 'statuses.HELD', value: null, isCertain: false }),
  );
  expect(contract.statuses).not.toHaveProperty('HELD');
});
