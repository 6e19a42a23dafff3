import fc from 'fast-check';

/** In bodies and headers of the attack: none of it may reach a log, an answer or an error. */
export const privateText = 'canary-of-a-message-text';
export const privateNumber = '+12025550143';

/** Names that mean something to JavaScript. */
export const magicNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'length',
] as const;

/** Any text, one that is no valid Unicode too; fast-check's own strings of this kind take seconds to prepare. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 24 }).map((units) => String.fromCharCode(...units));

/** URLs within each other, each with a part behind "#". */
function urlsWithin(levels: number): string {
  return levels === 0
    ? 'x'
    : `http:?a=${urlsWithin(levels - 1)
        .replaceAll('%', '%25')
        .replaceAll('#', '%23')}#`;
}

/** Texts that have broken parsers, terminals, logs and comparisons. */
export const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 2, arbitrary: fc.string({ maxLength: 24 }) },
  fc.constantFrom(...magicNames, privateText, privateNumber),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\r\nx-injected: 1',
    '\n{"level":"ERROR","message":"forged line"}',
    '\ud800',
    '\u202e',
    '\u001b[2J',
    '=1+1',
    '{{7*7}}',
    '٩',
    'NaN',
    '1e999',
    '9'.repeat(40),
    'a'.repeat(1500),
    urlsWithin(20),
    'http:?a='.repeat(4000),
  ),
);

/** Times, numbers and words the mapping reads, good ones among them. */
const jsonLeaves: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostileTexts.map((text) => JSON.stringify(text)) },
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-0',
    '1e400',
    '-1e400',
    '5e-324',
    '1768478405',
    '1768478405000',
    '12345678901234567890',
    '1'.repeat(400),
    `0.${'1'.repeat(400)}`,
    '"2026-01-15T12:00:05Z"',
    '"1768478405"',
    '"\\ud800"',
    // Looks like a text or a list to code that reads the length first.
    '{"length":{"toString":null}}',
    '{"length":1e9}',
    '{"toString":null}',
    '{}',
    '[]',
  ),
);

const jsonNames: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...magicNames),
  fc.constantFrom('type', 'data', 'id', 'status', 'occurred_at', 'payload', 'batches', 'items', 'report'),
  hostileTexts,
);

const member = (value: fc.Arbitrary<string>) =>
  fc.tuple(jsonNames, value).map(([name, json]) => `${JSON.stringify(name)}:${json}`);

/** JSON as text, so that repeated names and numbers no computer holds stay as they were written. */
export const hostileJson: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    jsonLeaves,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc.array(member(tie('value')), { maxLength: 4 }).map((members) => `{${members.join()}}`),
    fc.nat(80).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  ),
})).value;
