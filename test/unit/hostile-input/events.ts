import fc from 'fast-check';
import { hostileJson, hostileTexts, magicNames, privateNumber, privateText } from './hostile-values.ts';

const text = (value: string) => JSON.stringify(value);

/** A value the mapping takes, or now and then anything. */
const either = (...good: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: hostileJson });

const id = either(text('m-1'), text('__proto__'), text('constructor'), '17', text('witness'));
const number = either(text(privateNumber), text('12025550143'), text('short'));

const object = (fields: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.record(fields),
      fc.constantFrom(undefined, undefined, undefined, ...Object.keys(fields)),
      fc.option(fc.tuple(fc.constantFrom(...magicNames), hostileJson), { freq: 4, nil: undefined }),
    )
    .map(([members, missing, magic]) => {
      const present = Object.entries(members).filter(([name]) => name !== missing);
      const all = [...present, ...(magic === undefined ? [] : [magic])];
      return `{${all.map(([name, value]) => `${text(name)}:${value}`).join()}}`;
    });

const standardEvent = object({
  type: either(text('sms.status'), text('sms.status'), text('sms.reply')),
  data: fc.oneof(
    {
      weight: 8,
      arbitrary: object({
        id,
        send_id: id,
        message_id: id,
        to: number,
        from: number,
        status: either(text('delivered'), text('sent'), text('toString'), text('__proto__')),
        occurred_at: either(text('2026-01-15T12:00:05Z')),
        error_code: either('30003'),
        error_message: either(text(privateText)),
        text: either(text(privateText), text('STOP'), text('\ud800')),
      }),
    },
    { weight: 1, arbitrary: hostileJson },
  ),
});

const nestedItem = object({
  type: either(text('DLR'), text('MO')),
  ts: either('1768478405000'),
  report: object({ ref: id, campaign: id, msisdn: number, state: either(text('DELIVRD'), text('valueOf')) }),
  inbound: object({ msisdn: number, body: either(text(privateText), text('stop')) }),
});

const listOf = (event: fc.Arbitrary<string>) =>
  fc.array(event, { minLength: 1, maxLength: 3 }).map((events) => `[${events.join()}]`);

const phone = encodeURIComponent(privateNumber);
const reportFields = ['EventSid=EV1', 'MessageStatus=done', 'Time=1768478405', `To=${phone}`, 'ErrorCode=42'];
const replyFields = ['ReplySid=RE1', `From=${phone}`, `ReplyText=${privateText}`, 'Time=1768478405'];

const formExtra = fc.oneof(
  fc.constantFrom('MessageSid=m-1', 'MessageSid=__proto__', 'MessageStatus=constructor', ...replyFields),
  fc.tuple(fc.constantFrom(...magicNames), hostileTexts).map((pair) => pair.join('=')),
  fc.constantFrom(
    '%',
    '%ff',
    '%00=',
    '&',
    '=',
    '+',
    '__proto__[polluted]=1',
    'constructor.prototype.polluted=1',
  ),
  hostileTexts,
);

const formBody = fc
  .tuple(
    fc.constantFrom(
      ['MessageSid=m-1', ...reportFields],
      ['MessageSid=toString', ...reportFields],
      replyFields,
      [],
    ),
    fc.array(formExtra, { maxLength: 4 }),
  )
  .map((fields) => fields.flat().join('&'));

/** Bodies by the contract whose words they use. */
const eventBodies = {
  shipped: fc.oneof(standardEvent, listOf(standardEvent)),
  form: formBody,
  nested: listOf(nestedItem).map((items) => `{"payload":{"batches":[{"items":${items}}]}}`),
} as const;

/** Bytes of a body: of events, of JSON, of anything. */
export const bodiesFor = (contract: keyof typeof eventBodies): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 8, arbitrary: eventBodies[contract].map((body) => Buffer.from(body)) },
    { weight: 2, arbitrary: hostileJson.map((body) => Buffer.from(body)) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 64 }) },
    { weight: 1, arbitrary: hostileTexts.map((body) => Buffer.from(body)) },
  );
