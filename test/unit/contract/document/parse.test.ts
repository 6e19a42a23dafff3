import { describe, expect, it } from 'vitest';
import { ContractError, parseContract } from '../../../../contract/document/parse.ts';
import {
  formContractJson,
  nestedContractJson,
  shippedContractJson,
} from '../../../../tools/support/contracts.ts';

type Json = Record<string, unknown>;

/** A copy of the shipped contract with the value at a path replaced; undefined removes it. */
function withValue(path: string, value: unknown, base: unknown = shippedContractJson): unknown {
  const copy = structuredClone(base) as Json;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const target = names.reduce((inner, name) => inner[name] as Json, copy);
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

function problemsOf(json: unknown): readonly string[] {
  try {
    parseContract(json);
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
  return [];
}

it('parseContract fills in defaults', () => {
  const contract = parseContract(withValue('webhook.acknowledge', {}));
  expect(contract.webhook.acknowledge.status).toBe(200);
  expect(parseContract(formContractJson).webhook.signature).toMatchObject({
    separator: null,
    id: null,
    timestamp: null,
  });
});

it.each([
  ['service.baseUrl', 'sms-service', 'service.baseUrl: Invalid URL'],
  ['service.baseUrl', 'ftp://x', 'service.baseUrl: expected an https URL'],
  ['service.token.exchange.path', 'v1', 'service.token.exchange.path: expected a path that begins with /'],
  [
    'service.token.exchange.method',
    'GET',
    'service.token.exchange.apiKey.in: expected "header" or "query": a GET request has no body',
  ],
  [
    'service.token.exchange.accessToken',
    'a[',
    /^service\.token\.exchange\.accessToken: expected a JMESPath expression: /,
  ],
  [
    'registration',
    { kind: 'sms', id: 'MG1' },
    /^registration\.kind: .*"twilio-messaging-service"\|"telnyx-messaging-profile"/,
  ],
  [
    'registration',
    { kind: 'twilio-messaging-service' },
    'registration.id: expected the id of the messaging service (Twilio) or of the messaging profile (Telnyx)',
  ],
  [
    'registration',
    { kind: 'twilio-messaging-service', id: 'AC00000000000000000000000000000001' },
    'registration.id: expected the SID of a messaging service of Twilio: MG and 32 hexadecimal digits',
  ],
  [
    'registration',
    { kind: 'telnyx-messaging-profile', id: 'my profile' },
    'registration.id: expected the id of a messaging profile of Telnyx: a UUID, as the profile shows it',
  ],
  ['webhook.signature.scheme', 'magic', /^webhook\.signature\.scheme: .*'hmac' .*'jwt' \| 'token' \| 'none'/],
  ['webhook.signature.algorithm', 'md4', /^webhook\.signature\.algorithm: .*"sha256"/],
  ['webhook.signature.header', 'two words', 'webhook.signature.header: expected the name of an HTTP header'],
  [
    'webhook.signature.signedContent',
    '{id}.{timestamp}',
    'webhook.signature.signedContent: expected a template that holds {body}',
  ],
  [
    'webhook.signature.id',
    null,
    'webhook.signature.signedContent: uses {id}, so expected "id" to name its place',
  ],
  [
    'webhook.signature.timestamp',
    null,
    'webhook.signature.signedContent: uses {timestamp}, so expected "timestamp" to name its place',
  ],
  ['webhook.acknowledge.status', 302, /^webhook\.acknowledge\.status: .*299/],
  ['webhook.bodyFormat', 'xml', /^webhook\.bodyFormat: .*"json"\|"form"/],
  ['events.kind', undefined, 'events.kind: expected string, received undefined'],
  ['events.list', 'nosuch(@)', /^events\.list: expected a JMESPath expression: Unknown function/],
  ['events.status.messageId', 'data.', /^events\.status\.messageId: expected a JMESPath expression: /],
  ['events.reply.text', '', /^events\.reply\.text: /],
  [
    'events.defaultCountry',
    'br',
    'events.defaultCountry: expected a country as two capital letters, for example "BR"',
  ],
  ['events.defaultCountry', 'UK', 'the United Kingdom is "GB"'],
  ['webhook.signature.timestamp.toleranceSeconds', 604_801, /expected seconds, at most 604800 \(7 days\)/],
  ['statuses.done', 'arrived', /^statuses\.done: .*"delivered"/],
  ['colour', 'red', 'colour: not a key of the contract; remove it'],
  ['events.status.colour', 'red', 'events.status.colour: not a key of the contract; remove it'],
])('parseContract names the problem of %s = %j', (path, value, problem) => {
  const problems = problemsOf(withValue(path, value));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

it.each([
  { kind: 'twilio-messaging-service', id: 'MG00000000000000000000000000000001' },
  { kind: 'telnyx-messaging-profile', id: '00000000-0000-4000-8000-000000000001' },
])('parseContract accepts the registration $kind, whose service sends POST', (registration) => {
  const json = withValue('registration', registration);
  expect(parseContract(json).registration).toEqual(registration);
  expect(problemsOf(withValue('webhook.method', 'GET', json))).toContainEqual(
    'webhook.method: expected "POST": with "registration" the pipeline makes the service send POST',
  );
});

it('parseContract names every wrong path in one message', () => {
  const json = withValue(
    'colour',
    'red',
    withValue('events.kind', undefined, withValue('service.baseUrl', 7)),
  );
  expect(problemsOf(json)).toHaveLength(3);
  expect(() => parseContract(json)).toThrow(
    /^The contract is not valid:\n {2}service\.baseUrl: .*\n {2}events\.kind: .*\n {2}colour: /,
  );
  expect(problemsOf(null)).toEqual(['(the whole file): expected object, received null']);
});

it.each([
  ['{id}.{timestamp}.{body}.{colour}', /found \{colour\}$/],
  ['{id}.{timestamp}.{body}.{header:two words}', /found \{header:two words\}$/],
  ['{id}.{body}', /a timestamp that is not signed proves nothing$/],
])('parseContract rejects the template %s', (template, problem) => {
  expect(problemsOf(withValue('webhook.signature.signedContent', template))).toEqual([
    expect.stringMatching(problem),
  ]);
});

it('parseContract rejects a timestamp that the signature covers with the other method only', () => {
  const timestamp = { query: 'ts', unit: 'seconds', toleranceSeconds: 300 };
  const signature = { ...formContractJson.webhook.signature, signedContent: '{form}', timestamp };
  const json = withValue('webhook.signature', signature, formContractJson);
  expect(problemsOf(json)).toEqual([
    expect.stringMatching(/^webhook\.signature\.signedContent: expected \{timestamp\}: a timestamp/),
  ]);
  expect(problemsOf(withValue('webhook.method', 'GET', json))).not.toEqual([
    expect.stringContaining('a timestamp that is not signed'),
  ]);
});

it('parseContract rejects an unsigned header as the identity of events', () => {
  const json = withValue('events.id', { from: 'signed-id' }, formContractJson);
  expect(problemsOf(json)).toEqual([
    expect.stringMatching(/^events\.id\.from: expected "body" or "content"/),
  ]);
  const token = withValue('events.id', { from: 'signed-id' }, nestedContractJson);
  expect(problemsOf(token)).toEqual([expect.stringMatching(/^events\.id\.from: /)]);
});

it('parseContract demands explicit consent if nothing is signed', () => {
  const withScheme = (signature: unknown) =>
    problemsOf(withValue('webhook.signature', signature, nestedContractJson));
  expect(withScheme({ scheme: 'none' })).toEqual([
    expect.stringMatching(/^webhook\.signature\.anyoneMayPost: /),
  ]);
  expect(withScheme({ scheme: 'none', anyoneMayPost: true })).toEqual([]);
});

it('parseContract accepts an expression that only rejects null', () => {
  expect(
    problemsOf(
      withValue('events.status.errorCode', "data.error_code || join('', ['x'])", withValue('samples', [])),
    ),
  ).toEqual([]);
  expect(problemsOf(withValue('events.status.errorCode', 'length(data)', withValue('samples', [])))).toEqual(
    [],
  );
});

describe('samples', () => {
  const sample = (body: unknown, becomes: unknown) =>
    problemsOf(withValue('samples', [{ name: 'mine', body, becomes }]));
  const data = { id: 'm', status: 'sent', occurred_at: '2026-01-15T12:00:05Z' };

  it('must become the expected events', () => {
    expect(sample({ type: 'sms.status', data }, [{ kind: 'sms.status', messageId: 'm' }])).toEqual([]);
    expect(sample({ type: 'sms.status', data }, [{ messageId: 'other', sendId: 's' }])).toEqual([
      'samples.0 (mine): event 1: expected messageId "other", the mapping gives "m"',
      'samples.0 (mine): event 1: expected sendId "s", the mapping gives null',
    ]);
  });

  it('compare lists as a whole', () => {
    const reply = { id: 'r', from: '+12025550143', text: '', occurred_at: '2026-01-15T12:00:05Z' };
    const body = { type: 'sms.reply', data: { ...reply, pictures: ['https://example.com/1.jpg'] } };
    const read = (media: string[]) =>
      problemsOf(
        withValue(
          'events.reply.media',
          'data.pictures',
          withValue('samples', [{ name: 'mine', body, becomes: [{ media }] }]),
        ),
      );
    expect(read(['https://example.com/1.jpg'])).toEqual([]);
    expect(read([])).toEqual([
      'samples.0 (mine): event 1: expected media [], the mapping gives ["https://example.com/1.jpg"]',
    ]);
  });

  it('must become the expected number of events, all readable', () => {
    expect(sample([], [{ kind: 'sms.status' }])).toEqual([
      'samples.0 (mine): event 1 cannot be read: no-events',
    ]);
    expect(sample([{ type: 'sms.status', data }, {}], [{ messageId: 'm' }])).toEqual([
      'samples.0 (mine): expected 1 events, the mapping finds 2',
    ]);
    expect(sample({ type: 'sms.status', data: {} }, [{ messageId: 'm' }])).toEqual([
      'samples.0 (mine): event 1 cannot be read: missing-field (status)',
    ]);
  });
});
