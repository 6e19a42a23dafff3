import { type Expected, type ExpectedField, isPresent, jsonTypeOf } from '../drift/drift-watch.ts';
import { compileExpression, lenientExpression, parseBody, readBeside, rulesOf } from '../events/body.ts';
import { withBeside } from '../events/request-values.ts';
import { toE164 } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import { bodyOfSample, requestOfSample } from './parse.ts';

/** Fields that any event may lack: most have no error, no part and no picture, some have no price yet, and some belong to no bulk send or answer no message. */
const optionalFields: Readonly<Record<string, ReadonlySet<string>>> = {
  'sms.status': new Set([
    'errorCode',
    'errorText',
    'sendId',
    'price',
    'currency',
    'segments',
    'network',
    'carrier',
    'final',
    'parentMessageId',
    'channel',
  ]),
  'sms.reply': new Set([
    'messageId',
    'to',
    'media',
    'channel',
    'optOut',
    'partReference',
    'partTotal',
    'partNumber',
  ]),
};

/** Fields that usually hold a phone number. */
const phoneFields: ReadonlySet<string> = new Set(['recipient', 'from']);

/** Describes what events look like by a contract's samples. An event that differs shows drift. */
export function expectedOf(contract: Contract): Expected {
  const { events: rules } = contract;
  const { status, reply, id, kind, defaultCountry } = rules;
  const events = contract.samples
    .filter(({ becomes }) => becomes !== undefined)
    .flatMap((sample) => {
      const { webhook } = contract;
      const rules = rulesOf(webhook, sample.method);
      const body = parseBody(rules, bodyOfSample(sample, rules));
      const list = body.kind === 'parsed' ? compileExpression(contract.events.list)(body.value) : [];
      const beside = readBeside(rules, requestOfSample(sample))?.all ?? {};
      return Array.isArray(list) ? list.map((event: unknown) => withBeside(event, beside)) : [];
    });
  const kindOf = compileExpression(kind);

  function fieldsOf(eventKind: string, expressions: Readonly<Record<string, string | null>>) {
    const samples: readonly unknown[] = events.filter((event) => kindOf(event) === eventKind);
    const all = { ...expressions, id: id.from === 'body' ? id.path : null };
    const fields = Object.entries(all).flatMap(([field, text]) => {
      if (text === null) return [];
      const values = samples.map(lenientExpression(text)).filter((value) => isPresent(field, value));
      return values.length === 0
        ? []
        : [[field, describe(eventKind, field, values, samples.length)] as const];
    });
    return fields.length === 0 ? {} : { [eventKind]: Object.fromEntries(fields) };
  }

  function describe(
    eventKind: string,
    field: string,
    values: readonly unknown[],
    samples: number,
  ): ExpectedField {
    return {
      types: [...new Set(values.map(jsonTypeOf))],
      always: values.length === samples && !optionalFields[eventKind]?.has(field),
      phone:
        phoneFields.has(field) &&
        values.every((value) => toE164(String(value), defaultCountry) !== undefined),
    };
  }

  return { ...fieldsOf('sms.status', status), ...fieldsOf('sms.reply', reply) };
}
