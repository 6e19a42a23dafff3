import { describe, expect, it } from 'vitest';
import { checkSamples } from '../../../contract/document/parse.ts';
import type { Capture } from '../../../discovery/captured/capture.ts';
import { columnsOf } from '../../../discovery/captured/columns.ts';
import { contractToWrite } from '../../../discovery/contract-to-write.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { captureWith, found } from './services.ts';

const receivedAt = '2026-01-15T12:00:01.000Z';
const formType = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';

const capture = (body: string | Uint8Array, type: string, changed: Partial<Capture> = {}): Capture => ({
  ...captureWith(Buffer.from(body), type, receivedAt),
  ...changed,
});

/** The proposals for captures, by their place, and the bodies that were not read. */
async function discovered(captures: readonly Capture[]) {
  const { proposals, bodies, reads, contract } = await found(captures);
  return { by: new Map(proposals.map((one) => [one.key, one])), others: [...bodies.others], reads, contract };
}

const reply = (text: string, index = 0, more: object = {}) => ({
  id: `reply-${index}`,
  from: `+1202555012${index}`,
  to: '+12025550100',
  text,
  received_at: '2026-01-15T12:00:00Z',
  ...more,
});

it('a request of any year becomes a sample', async () => {
  const later = { received_at: '2031-05-01T10:00:00Z' };
  const own = capture(JSON.stringify(reply('hi there', 0, later)), jsonType, {
    receivedAt: '2031-05-01T10:00:01.000Z',
  });
  const { contract, missing } = contractToWrite(await found([own]), shippedContract) ?? {};
  expect(missing?.join()).not.toContain('No anonymous sample');
  expect(contract?.samples.map(({ name }) => name)).toContain('a reply');
  expect(contract && checkSamples(contract)).toEqual([]);
});

describe('discovery says what a body is that it does not read', () => {
  it.each<[string, Capture, string]>([
    ['XML', capture('<?xml version="1.0"?><dlr><id>1</id></dlr>', 'text/xml'), 'xml'],
    ['XML that is called a form', capture('<MessageStatus>1</MessageStatus>', formType), 'xml'],
    [
      'multipart',
      capture(
        '--x\r\nContent-Disposition: form-data; name="from"\r\n\r\n+12025550143\r\n--x--\r\n',
        'multipart/form-data; boundary=x',
      ),
      'multipart',
    ],
    ['an empty body', capture('', jsonType), 'empty'],
    ['JSON without its end', capture('{"id": "1", "text": "hel', jsonType), 'broken-json'],
    ['a sentence', capture('Hello there', 'text/plain'), 'text'],
  ])('%s', async (_, odd, kind) => {
    const { others, reads } = await discovered([odd]);
    expect(others).toEqual([[kind, 1]]);
    expect(JSON.stringify(reads)).not.toContain('not-json');
  });

  it('one form among JSON', async () => {
    const bodies = [0, 1, 2].map((index) => capture(JSON.stringify(reply('hi there', index)), jsonType));
    const { others, reads } = await discovered([...bodies, capture('id=1&text=hi', formType)]);
    expect(others).toEqual([['form', 1]]);
    expect(reads).toMatchObject({ events: 3, of: 3, problems: [] });
  });
});

describe('discovery recognises the charset of bodies that are not UTF-8', () => {
  const form = (text: string) => `id=r-1&from=%2B12025550143&to=%2B12025550100&text=${text}`;
  it.each<[string, string | Uint8Array, string, string]>([
    ['of Western Europe, percent-encoded', form('Acento+%E1%E9%ED+pe%F1a'), formType, 'windows-1252'],
    ['of Russia', form('%CF%F0%E8%E2%E5%F2+%E4%F0%F3%E7%FC%FF'), formType, 'windows-1251'],
    ['that the header names', form('Cze%B6%E6+ma%B3y'), `${formType}; charset=ISO-8859-2`, 'iso-8859-2'],
    ['that a field names', `${form('Cze%B6%E6')}&charset=iso-8859-2`, formType, 'iso-8859-2'],
    [
      'of Western Europe in JSON',
      Buffer.from(JSON.stringify(reply('Caf\u00e9 ol\u00e9')), 'latin1'),
      jsonType,
      'windows-1252',
    ],
  ])('%s', async (_, body, type, charset) => {
    const { by, contract, reads } = await discovered([capture(body, type)]);
    expect(by.get('webhook.charset')).toMatchObject({ value: charset, isCertain: false });
    expect(contract.webhook.charset).toBe(charset);
    expect(reads).toMatchObject({ events: 1, of: 1 });
  });

  it('and proposes none for UTF-8', async () => {
    const { by } = await discovered([capture(form('Acento+%C3%A1'), formType)]);
    expect(by.has('webhook.charset')).toBe(false);
  });
});

describe('discovery proposes how values that are encoded once more are decoded', () => {
  it.each<[string, string, string, string, string]>([
    ['percent-encoded', 'text', 'Hello%20there%21', "percent_decode(text, 'utf-8')", 'Hello there!'],
    ['percent-encoded Latin-1', 'text', 'Acento%20%E1', "percent_decode(text, 'windows-1252')", 'Acento á'],
    [
      'percent-encoded like a form',
      'text',
      'Hello+there%21',
      "percent_decode(text, 'utf-8')",
      'Hello there!',
    ],
    ['hexadecimal', 'text', '48656C6C6F2074686572652E', "hex_decode(text, 'utf-8')", 'Hello there.'],
    ['hexadecimal UTF-16', 'text', '00480065006C006C006F0021', "hex_decode(text, 'utf-16be')", 'Hello!'],
    ['base64', 'text', 'SGVsbG8gdGhlcmUh', 'powertools_base64(text)', 'Hello there!'],
    ['a percent-encoded number', 'from', '%2B12025550143', "percent_decode(from, 'utf-8')", '+12025550143'],
  ])('%s', async (_, field, value, expression, example) => {
    const body = { ...reply('hello there'), [field]: value };
    const { by, reads } = await discovered([capture(JSON.stringify(body), jsonType)]);
    expect(by.get(`events.reply.${field}`)).toMatchObject({
      value: expression,
      isCertain: false,
      example: { value: example },
      note: expect.stringContaining('once more'),
    });
    expect(reads).toMatchObject({ events: 1, of: 1 });
  });

  it.each([
    ['plain words', 'See you at 100% tomorrow'],
    ['one word', 'STOP'],
    ['a word of eight letters', 'STOPSTOP'],
    ['a number', '12345678'],
  ])('and leaves other texts alone: %s', async (_, text) => {
    const { by } = await discovered([capture(JSON.stringify(reply(text)), jsonType)]);
    expect(by.get('events.reply.text')?.value).toBe('text');
  });

  it.each<[string, string, string, string]>([
    [
      'JSON in a field of a form',
      `payload=${encodeURIComponent(JSON.stringify(reply('hello there')))}`,
      formType,
      'powertools_json(payload) | [@]',
    ],
    [
      'a list of JSON in a field of a form',
      `events=${encodeURIComponent(JSON.stringify([reply('hello there')]))}`,
      formType,
      'powertools_json(events) | [@][]',
    ],
    [
      'JSON in the envelope of a topic',
      JSON.stringify({ Type: 'Notification', Message: JSON.stringify(reply('hello there')) }),
      jsonType,
      'powertools_json(Message) | [@]',
    ],
    [
      'JSON in base64',
      JSON.stringify({
        message: { data: Buffer.from(JSON.stringify(reply('hello there'))).toString('base64') },
      }),
      jsonType,
      'powertools_json(powertools_base64(message.data)) | [@]',
    ],
  ])('%s', async (_, body, type, list) => {
    const { by, reads } = await discovered([capture(body, type)]);
    expect(by.get('events.list')).toMatchObject({ value: list, isCertain: false });
    expect(by.get('events.reply.from')?.value).toBe('from');
    expect(reads).toMatchObject({ events: 1, of: 1, problems: [] });
  });
});

describe('discovery reads the formats of times', () => {
  it.each<[string, string, string]>([
    ['20260115120000', 'compact', 'UTC'],
    ['Thu Jan 15 2026 12:00:00 GMT+0000 (Coordinated Universal Time)', 'javascript', ''],
    ['1768478400', 'unix-seconds', ''],
  ])('%s', async (text, format, zone) => {
    const captures = [0, 1, 2].map((index) =>
      capture(new URLSearchParams({ ...reply('hi there', index), received_at: text }).toString(), formType),
    );
    const { by, reads } = await discovered(captures);
    expect(by.get('events.timeFormat')).toMatchObject({ value: format });
    expect(by.get('events.timeZone')?.value ?? '').toBe(zone);
    expect(by.get('events.reply.occurredAt')).toMatchObject({ value: 'received_at', isCertain: zone === '' });
    expect(reads).toMatchObject({ events: 3, of: 3 });
  });
});

it('identity by content is a guess if a reply has neither an id nor a time', async () => {
  const captures = [0, 1, 2].map((index) => {
    const { id: _, received_at: __, ...timeless } = reply('see you', index);
    return capture(JSON.stringify(timeless), jsonType);
  });
  // The signature of this contract allows every identity.
  const { by } = await discovered(captures);
  const id = by.get('events.id');
  expect(id?.isCertain).toBe(false);
});

describe('discovery searches a part of bodies that strangers fill', () => {
  /** A body of thousands of events that have a field each of their own. */
  const junk = (body: number) =>
    capture(
      JSON.stringify(Array.from({ length: 3000 }, (_, index) => ({ [`k${body}_${index}`]: '1' }))),
      jsonType,
    );
  const isPart = /^The bodies have more than discovery searches/;

  it('so that its work has a limit, and says so', async () => {
    const { mapping, remarks } = await found(Array.from({ length: 20 }, (_, body) => junk(body)));
    expect(mapping.events.length).toBeLessThanOrEqual(2000);
    expect(remarks).toEqual([expect.stringMatching(isPart)]);
    const columns = columnsOf(
      Array.from({ length: 3000 }, (_, index) => ({ [`k${index}`]: 1, status: 'sent' })),
    );
    expect(columns).toHaveLength(400);
    expect(columns[0]?.path).toBe('status');
  });

  it('and still finds the mapping of the others', async () => {
    const own = [0, 1, 2].map((index) => capture(JSON.stringify(reply('hi there', index)), jsonType));
    const { mapping, contract, remarks } = await found([
      ...Array.from({ length: 20 }, (_, i) => junk(i)),
      ...own,
    ]);
    expect(mapping.events.filter(({ kind }) => kind === 'sms.reply')).toHaveLength(3);
    expect(contract.events.reply).toMatchObject({ from: 'from', text: 'text' });
    expect(remarks).toEqual([expect.stringMatching(isPart)]);
    expect((await found(own)).remarks).toEqual([]);
  });

  it('and finds the list of the others, also if more of the bodies are of strangers', async () => {
    const genuine = [0, 1, 2].map((index) => ({
      results: [{ messageId: `m${index}`, status: 'DELIVERED', to: '+12025550143' }],
    }));
    const lists = Array.from({ length: 60 }, (_, index) => [`z${index}`, [{ id: 'a1', status: 'sent' }]]);
    const bodies = [...genuine, ...Array.from({ length: 20 }, () => Object.fromEntries(lists))];
    const { mapping } = await found(bodies.map((body) => capture(JSON.stringify(body), jsonType)));
    expect(mapping.events.filter(({ value }) => JSON.stringify(value).includes('DELIVERED'))).toHaveLength(3);
  });

  it('and at most fifty lists', async () => {
    const lists = Array.from({ length: 300 }, (_, index) => [`k${index}`, [{ id: 'a1', status: 'sent' }]]);
    const { mapping, remarks } = await found([capture(JSON.stringify(Object.fromEntries(lists)), jsonType)]);
    expect(mapping.events).toHaveLength(50);
    expect(remarks).toEqual([expect.stringMatching(isPart)]);
  });
});
