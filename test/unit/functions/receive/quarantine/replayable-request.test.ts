import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../../../contract/document/parse.ts';
import { identityHash } from '../../../../../contract/events/body.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import shipped from '../../../../../contract.json' with { type: 'json' };
import { encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { bodyOfEvent } from '../../../../../functions/receive/quarantine/body-of-event.ts';
import {
  type QuarantinedEntry,
  quarantineId,
} from '../../../../../functions/receive/quarantine/quarantine.ts';
import { replayableRequest } from '../../../../../functions/receive/quarantine/replayable-request.ts';
import {
  formContractJson,
  nestedContractJson,
  shippedContract,
} from '../../../../../tools/support/contracts.ts';
import { assertProperty } from '../../../../support/property.ts';
import { noonPlus } from '../../../cli/support/harness.ts';

function readingOf(json: unknown) {
  const contract = parseContract(json);
  return { source: 'main', contract, map: createMapper(contract) };
}
const withList = (list: string) =>
  readingOf({ ...shipped, events: { ...shipped.events, list }, samples: [] });
const standard = readingOf(shipped);
const event = {
  type: 'sms.status',
  data: { id: 'msg-1', status: 'sent', occurred_at: '2026-01-15T12:00:00.000Z' },
};

function entry(fields: Partial<QuarantinedEntry>): QuarantinedEntry {
  const where = { receivedAt: noonPlus(0), requestId: 'req' };
  const raw = Buffer.from(JSON.stringify(event));
  return { ...where, id: quarantineId(where), reason: 'bad-time', raw, signedId: 'evt', ...fields };
}

describe('the request of an entry', () => {
  it('keeps the receipt time, the body and the signed id, and gets a new request id', () => {
    const whole = entry({});
    expect(replayableRequest(whole, standard)).toEqual({
      envelope: { requestId: 'req~body', receivedAt: noonPlus(0), signedId: 'evt', body: whole.raw },
    });
  });

  it('keeps the identity of an event of a body', () => {
    const identity = identityHash(standard.contract);
    const request = (index: number, eventsInBody: number) =>
      replayableRequest(entry({ index, eventsInBody, identity }), standard);
    expect(request(5, 6)).toMatchObject({ envelope: { requestId: 'req~5', signedId: 'evt:5' } });
    expect(request(0, 2)).toMatchObject({ envelope: { requestId: 'req~0', signedId: 'evt:0' } });
    expect(request(0, 1)).toMatchObject({ envelope: { requestId: 'req~0', signedId: 'evt' } });
  });

  it('of an unverified entry must be verified', () => {
    const headers = {
      'webhook-id': 'evt',
      'webhook-signature': 'v1,AAAA',
      'webhook-timestamp': String(Date.parse(noonPlus(0)) / 1000),
    };
    const refused = entry({ reason: 'signature-mismatch', headers, url: 'https://x.test/' });
    const result = replayableRequest(refused, standard);
    expect(result).toMatchObject({ envelope: { unverified: { headers, url: 'https://x.test/' } } });
    expect(result).not.toMatchObject({ envelope: { signedId: expect.anything() } });
    const { headers: _headers, ...noHeaders } = refused;
    const { url: _url, ...noUrl } = refused;
    const lackingHeaders = Object.keys(headers).map((name) => ({
      ...refused,
      headers: Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
    }));
    for (const lacking of [noHeaders, noUrl, entry({ reason: 'signature-mismatch' }), ...lackingHeaders])
      expect(replayableRequest(lacking, standard)).toEqual({ stays: 'unverifiable' });
  });

  it('of a captured entry must be verified too, with masked credentials', () => {
    const headers = {
      'webhook-id': 'evt',
      'webhook-signature': 'v1,AAAA',
      cookie: 'masked:salt:00',
      'webhook-timestamp': String(Date.parse(noonPlus(0)) / 1000),
    };
    const request = { method: 'POST', url: 'https://x.test/', headers };
    const about = { reason: 'captured', contract: '0123456789ab', masked: true } as const;
    const { signedId: _, ...kept } = entry({ ...about, ...request });
    // A captured request that did not match at its replay is kept for the mismatch.
    for (const reason of ['captured', 'signature-mismatch'] as const)
      expect(replayableRequest({ ...kept, reason }, standard)).toEqual({
        envelope: {
          requestId: 'req~body',
          receivedAt: noonPlus(0),
          body: kept.raw,
          contract: '0123456789ab',
          unverified: { ...request, masked: true },
        },
      });
    const { headers: _headers, ...noHeaders } = kept;
    expect(replayableRequest(noHeaders, standard)).toEqual({ stays: 'unverifiable' });
    const noSignature = { ...kept, headers: { cookie: headers.cookie } };
    expect(replayableRequest(noSignature, standard)).toEqual({ stays: 'unverifiable' });
  });

  it('keeps its verification state when the worker of that time could not read it', () => {
    const envelope = {
      requestId: 'r',
      receivedAt: noonPlus(1),
      body: Buffer.from('{}'),
      unverified: { headers: {}, url: 'u' },
    };
    const raw = Buffer.from(encodeEnvelope(envelope));
    expect(replayableRequest(entry({ reason: 'not-an-envelope', raw }), standard)).toEqual({ envelope });
    const other = entry({ reason: 'not-an-envelope', raw: Buffer.from('hello') });
    expect(replayableRequest(other, standard)).toEqual({ stays: 'unreadable' });
  });

  it.each([
    ['{', undefined],
    ['[]', undefined],
    [JSON.stringify({ ...event, type: 'else' }), undefined],
    [JSON.stringify({ ...event, type: 'else' }), 2],
  ])('is none where the contract reads no event: %s at %s', (text, index) => {
    const unreadable = entry({ raw: Buffer.from(text), ...(index === undefined ? {} : { index }) });
    expect(replayableRequest(unreadable, standard)).toEqual({ stays: 'unreadable' });
  });

  it('does not exist for an event whose body cannot be rebuilt', () => {
    expect(replayableRequest(entry({ index: 1 }), withList('values(@)[?data]'))).toEqual({
      stays: 'unwrappable',
    });
  });
});

describe('the body of one event', () => {
  const readings = [
    standard,
    ...['@', 'events', 'events[]', 'items[*]', 'a.b[].c[]', 'payload.batches[].items[]'].map(withList),
    readingOf(nestedContractJson),
  ];

  it('is read as exactly this event, whatever it contains', () => {
    assertProperty(
      fc.property(
        fc.constantFrom(...readings),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (reading, made) => {
          const content = JSON.parse(JSON.stringify({ ...made, type: 'sms.status' }));
          const body = bodyOfEvent(Buffer.from(JSON.stringify(content)), reading.contract, reading.map);
          // Longer numbers become text where a body is read, those of an entry have.
          fc.pre(!/\d{16}|\de\+/.test(JSON.stringify(content)));
          expect(body).toBeDefined();
          const mapped = reading.map(body ?? new Uint8Array(), undefined, noonPlus(0));
          expect(mapped).toMatchObject([{ content }]);
        },
      ),
    );
  });

  it('may be a form with repeated fields', () => {
    const { contract, map } = readingOf(formContractJson);
    const content = { EventSid: 'e 1', To: '+12025550143', Media: ['a&b', 'ü'] };
    const body = bodyOfEvent(Buffer.from(JSON.stringify(content)), contract, map);
    expect(Buffer.from(body ?? []).toString()).toContain('To=%2B12025550143&Media=a%26b');
    expect(map(body ?? new Uint8Array(), undefined, noonPlus(0))).toMatchObject([{ content }]);
    expect(bodyOfEvent(Buffer.from('null'), contract, map)).toBeUndefined();
    expect(bodyOfEvent(Buffer.from('{"a":1}'), contract, map)).toBeUndefined();
  });
});

it('an entry of another source stays, although the contract could read it', () => {
  const body = Buffer.from(JSON.stringify({ type: 'sms.status', data: {} }));
  const entry = {
    id: 'x',
    reason: 'missing-field' as const,
    receivedAt: '2026-01-15T12:00:00.000Z',
    requestId: 'r',
    raw: body,
    source: 'backup',
  } as const;
  const reading = { source: 'main', contract: shippedContract, map: createMapper(shippedContract) };
  expect(replayableRequest(entry, reading)).toEqual({ stays: 'other-source' });
  expect(replayableRequest(entry, { ...reading, source: 'backup' })).not.toEqual({ stays: 'other-source' });
});
