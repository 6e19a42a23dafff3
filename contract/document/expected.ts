import { type Expected, type ExpectedField, isPresent, jsonTypeOf } from '../drift/drift-watch.ts';
import { compileExpression, parseBody } from '../events/body.ts';
import { toE164 } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import { bodyOfSample } from './parse.ts';

/** What may be missing from any event: most have no error, and not every one belongs to a bulk send or answers a message. */
const neverAlways: Readonly<Record<string, ReadonlySet<string>>> = {
  'sms.status': new Set(['errorCode', 'errorText', 'sendId']),
  'sms.reply': new Set(['messageId', 'to']),
};

/** Fields that hold a phone number wherever they can be read as one. */
const phoneFields: ReadonlySet<string> = new Set(['recipient', 'from']);

/** What events look like by a contract's samples, which hold: what differs from it is drift. */
export function expectedOf(contract: Contract): Expected {
  const { status, reply, id, list, kind, defaultCountry } = contract.events;
  const events = contract.samples
    .filter(({ becomes }) => becomes !== undefined)
    .flatMap((sample) => {
      const body = parseBody(contract.webhook.bodyFormat, bodyOfSample(sample, contract.webhook.bodyFormat));
      const found = body.kind === 'parsed' ? compileExpression(list)(body.value) : [];
      return Array.isArray(found) ? found : [];
    });
  const kindOf = compileExpression(kind);

  function fieldsOf(wanted: string, expressions: Readonly<Record<string, string | null>>) {
    const samples: readonly unknown[] = events.filter((event) => kindOf(event) === wanted);
    const all = { ...expressions, id: id.from === 'body' ? id.path : null };
    const fields = Object.entries(all).flatMap(([field, text]) => {
      if (text === null) return [];
      const values = samples.map(compileExpression(text)).filter((value) => isPresent(field, value));
      return values.length === 0 ? [] : [[field, describe(wanted, field, values, samples.length)] as const];
    });
    return fields.length === 0 ? {} : { [wanted]: Object.fromEntries(fields) };
  }

  function describe(
    wanted: string,
    field: string,
    values: readonly unknown[],
    samples: number,
  ): ExpectedField {
    return {
      types: [...new Set(values.map(jsonTypeOf))],
      always: values.length === samples && !neverAlways[wanted]?.has(field),
      phone:
        phoneFields.has(field) &&
        values.every((value) => toE164(String(value), defaultCountry) !== undefined),
    };
  }

  return { ...fieldsOf('sms.status', status), ...fieldsOf('sms.reply', reply) };
}
