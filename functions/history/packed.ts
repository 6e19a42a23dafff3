import { e164 } from '../../contract/phone/phone-key.ts';
import { canonicalStatuses, rankOf } from '../../contract/schema/sms-event.ts';

/**
 * The values of items of the history (docs/reference/data-model.md). Each `pack` has one result for a value, because DynamoDB compares
 * packed ids and numbers, and an `unpack` that returns the value.
 */

/** How the bytes of a packed id are read: its last byte, of a word and a message the last six bits of it. */
const idForms = { text: 0, uuid: 1, hex: 2, list: 3, word: 16, message: 20 } as const;
const formBits = 0b111111;
/** The digits of base64url. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const hex = /^(?:[\da-f]{2}){8,}$/;
const word = /^[\w-]+$/;
/** The ids of Standard Webhooks begin with this. */
const messageMark = 'msg_';

/**
 * Packs an id: a UUID into 17 bytes, and other ids of letters, digits, `_` and `-` into three quarters of their length. Their base64, which
 * the console of DynamoDB shows, begins with the id. The form comes last, for that reason.
 */
export function packId(id: string): Uint8Array {
  if (uuid.test(id)) return joined(Buffer.from(id.replaceAll('-', ''), 'hex'), idForms.uuid);
  if (hex.test(id)) return joined(Buffer.from(id, 'hex'), idForms.hex);
  if (!word.test(id)) return joined(Buffer.from(id), idForms.text);
  const isMarked = id.startsWith(messageMark) && id.length > messageMark.length;
  const rest = isMarked ? id.slice(messageMark.length) : id;
  // The last of the digits is the form.
  const padding = (7 - (rest.length % 4)) % 4;
  const form = digits[(isMarked ? idForms.message : idForms.word) + padding];
  return Uint8Array.from(Buffer.from(`${rest}${'A'.repeat(padding)}${form}`, 'base64url'));
}

/** @throws UnreadableItemError */
export function unpackId(packed: Uint8Array): string {
  const bytes = Buffer.from(packed.subarray(0, -1));
  const last = packed.at(-1) ?? -1;
  if (last === idForms.text) return bytes.toString();
  if (last === idForms.hex) return bytes.toString('hex');
  if (last === idForms.uuid)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const form = last & formBits;
  const [mark, padding] =
    form >= idForms.message ? [messageMark, form - idForms.message] : ['', form - idForms.word];
  if (padding < 0 || padding > 3)
    throw new UnreadableItemError('an id in a form that this version does not know');
  const text = Buffer.from(packed).toString('base64url');
  return mark + text.slice(0, text.length - padding - 1);
}

/** Returns the key of a list of items that is not the list of an id. @param number below 2^24 */
export function packList(number: number): Uint8Array {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntBE(number, 0, 3);
  return joined(bytes, idForms.list);
}

/** Returns bytes with one more at their end. */
export function joined(bytes: Uint8Array, last: number): Uint8Array {
  const result = new Uint8Array(bytes.length + 1);
  result.set(bytes);
  result[bytes.length] = last;
  return result;
}

/** Precedes what is no number in E.164, whose first byte is at least 0x10. */
const textMark = 0;

/** Packs a number in E.164 into half a byte for each digit, an odd one with `f` at its end; other text behind a zero byte. */
export function packNumber(number: string): Uint8Array {
  if (!e164.test(number)) return Uint8Array.from([textMark, ...Buffer.from(number)]);
  const digits = number.slice(1);
  return Uint8Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `${digits}f`, 'hex'));
}

export function unpackNumber(packed: Uint8Array): string {
  const bytes = Buffer.from(packed);
  return bytes[0] === textMark ? bytes.toString('utf8', 1) : `+${bytes.toString('hex').replace('f', '')}`;
}

/** A packed report, or version of a reply: its times, and what else there is under short names. */
export interface PackedEntry {
  /** One character. */
  readonly code: string;
  /** ISO 8601, as is `receivedAt`. */
  readonly occurredAt: string;
  readonly receivedAt: string;
  /** Not `at` and `in`, which are the times that are not in UTC to the millisecond, or not from 1970 to 2059. */
  readonly fields: Readonly<Record<string, string | number>>;
}

const timeDigits = 8;
const latestTime = 36 ** timeDigits;
const noTime = '-'.repeat(timeDigits);

/**
 * Packs an entry into text: its code, the time it happened as eight digits of base 36 (milliseconds since 1970), the milliseconds until it was
 * received in base 36 (nothing for 0), and a JSON object of what else there is.
 */
export function packEntry({ code, occurredAt, receivedAt, fields }: PackedEntry): string {
  const [occurred, received] = [Date.parse(occurredAt), Date.parse(receivedAt)];
  const isPlain =
    isIso(occurredAt, occurred) && isIso(receivedAt, received) && occurred >= 0 && occurred < latestTime;
  const times = isPlain
    ? occurred.toString(36).padStart(timeDigits, '0') +
      (received === occurred ? '' : (received - occurred).toString(36))
    : noTime;
  const rest = isPlain ? fields : { ...fields, at: occurredAt, in: receivedAt };
  return code + times + (Object.keys(rest).length === 0 ? '' : JSON.stringify(rest));
}

const packedTimes = /^(?<code>.)(?<time>[\da-z]{8}|-{8})(?<wait>-?[\da-z]*)/su;

/** @throws UnreadableItemError */
export function unpackEntry(packed: string): PackedEntry {
  const match = packedTimes.exec(packed);
  const { code, time, wait = '' } = match?.groups ?? {};
  if (match === null || code === undefined || time === undefined)
    throw new UnreadableItemError('an entry that is none');
  const { at, in: received, ...fields } = fieldsOf(packed.slice(match[0].length));
  if (time === noTime) return { code, occurredAt: String(at), receivedAt: String(received), fields };
  const occurred = Number.parseInt(time, 36);
  const waited = wait === '' ? 0 : Number.parseInt(wait, 36);
  return { code, occurredAt: isoOf(occurred), receivedAt: isoOf(occurred + waited), fields };
}

function fieldsOf(json: string): Record<string, string | number> {
  if (json === '') return {};
  try {
    if (json.startsWith('{')) return JSON.parse(json);
  } catch {
    // Reported below, without the text.
  }
  throw new UnreadableItemError('an entry whose fields are no JSON object');
}

function isIso(text: string, milliseconds: number): boolean {
  return !Number.isNaN(milliseconds) && isoOf(milliseconds) === text;
}

export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The codes of the canonical statuses, which are part of the format. Other words have {@link wordCode}. */
const statusCodes: Readonly<Record<(typeof canonicalStatuses)[number], string>> = {
  accepted: 'a',
  queued: 'q',
  sent: 's',
  unknown: 'u',
  expired: 'x',
  rejected: 'j',
  failed: 'f',
  undelivered: 'n',
  delivered: 'd',
  read: 'r',
};
export const wordCode = '-';

/** Returns the code of a status with the rank of today; {@link wordCode} for any other. */
export function codeOf(status: string, rank: number): string {
  const canonical = canonicalStatuses.find((one) => one === status);
  return canonical !== undefined && rankOf(canonical) === rank ? statusCodes[canonical] : wordCode;
}

/** @throws UnreadableItemError */
export function statusOf(code: string): (typeof canonicalStatuses)[number] {
  const status = canonicalStatuses.find((one) => statusCodes[one] === code);
  if (status === undefined) throw new UnreadableItemError('a status that this version does not know');
  return status;
}

/** Thrown for an item that this version of the pipeline cannot read. The message names attributes, never their values. */
export class UnreadableItemError extends Error {
  override readonly name: string = 'UnreadableItemError';
}
