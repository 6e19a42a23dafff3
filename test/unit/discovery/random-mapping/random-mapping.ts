import { encodeForm } from '../../../../contract/events/body.ts';
import type { CanonicalStatus } from '../../../../contract/schema/sms-event.ts';
import type { Capture } from '../../../../discovery/captured/capture.ts';
import { createRandom, shuffled } from '../../../../local/sms-service/random.ts';
import { type Draw, drawFrom } from '../random-service/signing-style.ts';
import {
  type DocumentedService,
  documentedServices,
  type NamedField,
  timeStyles,
} from './documented-names.ts';

import { figureAs, type IdStyle, idOf, precise, range, timeAs } from './made-values.ts';

export type Kind = 'sms.status' | 'sms.reply';

/** One event as a made-up service sends it, and what it means. */
export interface MadeEvent {
  readonly kind: Kind;
  /** The event alone, as an element of the list of events. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The values by the contract's field, as sent; a time is ISO 8601 in UTC. A field without a value is left out. */
  readonly means: Readonly<Record<string, string>>;
}

/** One request with its events. */
interface MadeRequest {
  readonly capture: Capture;
  readonly events: readonly MadeEvent[];
}

/** A made-up service whose fields, words and formats are documented ones of several real services. */
export interface RandomMapping {
  readonly name: string;
  readonly format: 'json' | 'form';
  /** Two to six events. */
  readonly captured: readonly MadeRequest[];
  /** Events that discovery does not see: every status, and replies. */
  readonly unseen: readonly MadeRequest[];
  /** The meaning of each of the service's words, unless they are numbers or single letters. */
  readonly words: ReadonlyMap<string, CanonicalStatus>;
}

type Structure = 'flat' | 'nested' | 'resource' | 'list' | 'root list' | 'form' | 'query';

const failures: ReadonlySet<CanonicalStatus> = new Set(['failed', 'undelivered', 'rejected', 'expired']);
/** Codes and texts of errors: Twilio, SMPP 3.4 and GSM 03.40, Vonage, Telnyx, Infobip. */
const errors: readonly (readonly [string, string])[] = [
  ['30003', 'Unreachable destination handset'],
  ['30005', 'Unknown destination handset'],
  ['001', 'Absent subscriber'],
  ['6', 'Anti-Spam Rejection'],
  ['40002', 'Blocked as spam'],
  ['EC_UNKNOWN_SUBSCRIBER', 'Unknown Subscriber'],
  ['69', 'Submit failed'],
  ['33', 'Destination out of coverage'],
];
const nestedGenerics = new Set(
  'id name state code title type phone_number description timestamp groupName'.split(' '),
);
const texts = ['Yes please', 'STOP', 'See you at 5', 'Ok', 'Thanks, I will be there tomorrow', 'no'];
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/** How one service writes its events. */
interface Shape {
  readonly draw: Draw;
  readonly base: DocumentedService;
  readonly fields: Readonly<Record<Kind, readonly NamedField[]>>;
  readonly structure: Structure;
  readonly listKey: string;
  readonly kindAt: DocumentedService['kind'];
  readonly idStyle: IdStyle;
  readonly number: 'plus' | 'digits' | 'zeros' | 'number';
  readonly numberedIds: boolean;
  readonly codesAreNumbers: boolean;
  readonly fine: NonNullable<DocumentedService['fine']>;
  readonly reference: 'blank' | 'sometimes' | 'always';
  readonly copiedId: string | undefined;
  readonly saysReceived: boolean;
  readonly account: string;
}

const chance = (draw: Draw, share: number) => draw([...range(20)] as [number, ...number[]]) < share * 20;

/** @param seed the same seed makes the same service */
export function randomMapping(seed: number): RandomMapping {
  const random = createRandom(seed * 7919 + 13);
  const draw = drawFrom(random);
  const shape = drawShape(draw);
  const { structure, base } = shape;
  const messages = range(12).map((index) => messageOf(shape, seed, index));
  const ways = base.words.length === 0 ? [['delivered', 'delivered'] as const] : base.words;
  const kinds: readonly Kind[] = draw([
    ['sms.status', 'sms.reply'],
    ['sms.status', 'sms.reply'],
    ['sms.status', 'sms.reply'],
    ['sms.status', 'sms.reply'],
    ['sms.status'],
    ['sms.reply'],
  ]);
  const count = draw([2, 3, 4, 5, 6]);
  const order = shuffled(
    [...range(count - kinds.length).map(() => draw(kinds as [Kind, ...Kind[]])), ...kinds],
    random,
  );
  let second = 0;
  const make = (kind: Kind, message: Message, way: readonly [CanonicalStatus, string] | undefined) => {
    second += 37;
    return eventOf(shape, { kind, message, way, at: begin + second * 1000, number: second });
  };
  let reports = 0;
  const seen = order.map((kind, index) => {
    const message = messages[kind === 'sms.status' ? Math.floor(reports / 2) : index % 3];
    const way = ways[reports % ways.length];
    if (kind === 'sms.status') reports++;
    return make(kind, message ?? messageOf(shape, seed, 0), shuffled(ways, random)[0] ?? way);
  });
  const unseen = kinds.flatMap((kind) =>
    (kind === 'sms.status' ? ways : [undefined, undefined, undefined]).map((way, index) =>
      make(kind, messages[6 + (index % 5)] ?? messageOf(shape, seed, 7), way),
    ),
  );
  const areCodes = ways.some(([, word]) => /^\d+$|^..?$/.test(word));
  return {
    name: `${seed}: ${structure}, ${new URL(base.source).host}`,
    format: structure === 'form' || structure === 'query' ? 'form' : 'json',
    captured: requestsOf(shape, seen),
    unseen: requestsOf(shape, unseen),
    words: new Map(areCodes ? [] : ways.map(([canonical, word]) => [word, canonical])),
  };
}

function drawShape(draw: Draw): Shape {
  const [first, ...others] = documentedServices.filter(({ report }) => report.length > 0);
  const [replier, ...repliers] = documentedServices.filter(({ reply }) => reply.length > 0);
  if (first === undefined || replier === undefined) throw new Error('documented-names.txt is empty');
  const base = draw([first, ...others]);
  const replies = base.reply.length > 0 ? base.reply : draw([replier, ...repliers]).reply;
  const structure: Structure = draw([
    'flat',
    'nested',
    'nested',
    'resource',
    'list',
    'root list',
    'form',
    'query',
  ]);
  const noise = [...base.noise, ...draw([first, ...others]).noise].filter(() => chance(draw, 0.7));
  const fieldsOf = (kind: Kind, fields: readonly NamedField[]): readonly NamedField[] => {
    const extras = noise.filter(
      ({ role }) => kind === 'sms.status' || role === 'account' || role === 'figure',
    );
    const roles = new Set(fields.map(({ role }) => role));
    const names = swapped(draw, kind, fields);
    const distinct = distinctFields(names).length === names.length ? names : fields;
    const styled = distinct.map((field) =>
      field.time !== undefined && chance(draw, 0.3) ? { ...field, time: draw([...timeStyles]) } : field,
    );
    return distinctFields([
      ...styled,
      ...extras.filter(({ role }) => role !== 'sent' || roles.has('occurredAt')),
    ]);
  };
  const fields = {
    'sms.status': fieldsOf('sms.status', base.report),
    'sms.reply': fieldsOf('sms.reply', replies),
  };
  const used = new Set(Object.values(fields).flatMap((list) => list.map(({ path }) => path[0])));
  const kindAt =
    base.kind !== undefined && base.reply.length > 0 && ![...used].includes(base.kind.path[0])
      ? base.kind
      : undefined;
  const isNumber = structure !== 'form' && structure !== 'query';
  const numberedIds = isNumber && chance(draw, 0.2);
  return {
    draw,
    base,
    fields,
    structure,
    listKey: draw(['results', 'messages', 'reports', 'events', 'data', 'items']),
    kindAt,
    idStyle: numberedIds
      ? draw(['number', 'digits'])
      : draw(['uuid', 'hex', 'digits', 'prefixed', 'long digits']),
    number: draw(['plus', 'plus', 'digits', 'digits', 'zeros', isNumber ? 'number' : 'digits']),
    numberedIds,
    codesAreNumbers: isNumber && chance(draw, 0.4),
    fine:
      base.fine ??
      draw<NonNullable<DocumentedService['fine']>>([
        { code: undefined, text: undefined },
        { code: '0', text: undefined },
        { code: null, text: null },
      ]),
    reference: draw(['blank', 'sometimes', 'always']),
    copiedId: chance(draw, 0.15)
      ? draw(['SmsSid', 'SmsMessageSid', 'message_uuid', 'messageSid'])
      : undefined,
    saysReceived: chance(draw, 0.2) && !base.words.some(([, word]) => /^\d+$/.test(word)),
    account: idOf(draw(['uuid', 'hex', 'prefixed']), draw),
  };
}

/** Replaces some names by those that other services document for the same role. */
function swapped(draw: Draw, kind: Kind, fields: readonly NamedField[]): readonly NamedField[] {
  return fields.map((field) => {
    if (!chance(draw, 0.3)) return field;
    const names = documentedServices.flatMap((service) =>
      (kind === 'sms.status' ? service.report : service.reply).flatMap(({ role, path }) => {
        const last = path.at(-1) ?? '';
        return role !== field.role || (path.length > 1 && nestedGenerics.has(last)) ? [] : [last];
      }),
    );
    const [name = '', ...more] = names;
    const isGeneric = field.path.length > 1 && nestedGenerics.has(field.path.at(-1) ?? '');
    const holder = isGeneric ? field.path.slice(0, -2) : field.path.slice(0, -1);
    return names.length === 0 ? field : { ...field, path: [...holder, draw([name, ...more])] };
  });
}

/** Keeps the first field of a place. */
function distinctFields(fields: readonly NamedField[]): readonly NamedField[] {
  const spell = ({ path }: NamedField) => path.join('.').replaceAll('[]', '').toLowerCase();
  return fields.filter(
    (field, index) =>
      !fields.slice(0, index).some((before) => {
        const [one, other] = [spell(before), spell(field)];
        return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
      }),
  );
}

interface Message {
  readonly id: string;
  readonly person: string;
  readonly reference: string;
  readonly send: string;
  readonly own: string;
}

function messageOf({ draw, idStyle }: Shape, seed: number, index: number): Message {
  return {
    id: idOf(idStyle, draw),
    person: String(12025550110 + ((seed + index * 7) % 80)),
    reference: `order-${1000 + index * 17}`,
    send: idOf(idStyle, draw),
    own: '12025550100',
  };
}

interface Happening {
  readonly kind: Kind;
  readonly message: Message;
  readonly way: readonly [CanonicalStatus, string] | undefined;
  readonly at: number;
  readonly number: number;
}

function eventOf(shape: Shape, happening: Happening): MadeEvent {
  const { draw, base, kindAt, structure } = shape;
  const { kind, at, message } = happening;
  const value: Record<string, unknown> = {};
  const means: Record<string, string> = {};
  const isFlat = structure === 'flat' || structure === 'form' || structure === 'query';
  const write = (path: readonly string[], content: unknown) => {
    if (content === undefined) return;
    putAt(
      value,
      isFlat ? [path.join('_').replaceAll('[]', '')] : path,
      isFlat ? formText(structure, content) : content,
    );
  };
  const isReport = kind === 'sms.status';
  const word = happening.way?.[1] ?? '';
  if (kindAt !== undefined)
    write(kindAt.path, isReport ? kindAt.report.replace('{status}', word.toLowerCase()) : kindAt.reply);
  if (base.eventId !== undefined) write(base.eventId, idOf('uuid', draw));
  const replyId = idOf(shape.idStyle, draw);
  const asId = (id: string) => (shape.numberedIds && /^\d{9}$/.test(id) ? Number(id) : id);
  const [code, text] = errors[happening.number % errors.length] ?? ['1', 'Error'];
  const isFailure = isReport && failures.has(happening.way?.[0] ?? 'sent');
  /** Returns the content of a field, and its meaning if it has one. */
  const contentOf = ({ role, path, time = 'iso' }: NamedField): readonly [unknown, string?] => {
    const meaning = (content: string | number) => [content, String(content)] as const;
    switch (role) {
      case 'messageId':
        return [asId(message.id), message.id];
      case 'replyId':
        return [asId(replyId), replyId];
      case 'sendId':
        return [asId(message.send), message.send];
      case 'recipient':
      case 'from':
        return meaning(numberAs(shape, message.person));
      case 'to':
        return meaning(numberAs(shape, message.own));
      case 'own':
        return [numberAs(shape, message.own)];
      case 'status':
        return meaning(word);
      case 'text':
        return isReport ? ['Your order is on its way'] : meaning(textOf(happening));
      case 'occurredAt':
        return [timeAs(time, at), precise(time, at)];
      case 'sent':
        return [timeAs('iso', at - 4000)];
      case 'errorCode':
        return isFailure ? meaning(codeAs(shape, code) ?? '') : [codeAs(shape, shape.fine.code)];
      case 'errorText':
        return isFailure ? meaning(text) : [shape.fine.text];
      case 'reference':
        return [referenceAs(shape, happening)];
      case 'account':
        return [shape.account];
      default:
        return [figureAs(path.at(-1) ?? '', happening.number)];
    }
  };
  for (const field of shape.fields[kind]) {
    const [content, meaning] = contentOf(field);
    write(field.path, content);
    if (meaning !== undefined) means[field.role] = meaning;
  }
  const hasOwnId = shape.fields[kind].some(({ role }) => role === (isReport ? 'messageId' : 'replyId'));
  if (shape.copiedId !== undefined && hasOwnId)
    write([shape.copiedId], asId(isReport ? message.id : replyId));
  const status = shape.fields['sms.status'].find(({ role }) => role === 'status');
  if (!isReport && shape.saysReceived && status?.path.length === 1 && !(String(status.path[0]) in value))
    write(status.path, 'received');
  const made = structure === 'resource' ? asResource(value, shape, happening) : value;
  return { kind, value: made, means };
}

/** Wraps an event as JSON:API does: its type beside its attributes. */
function asResource(value: object, shape: Shape, { kind }: Happening): Record<string, unknown> {
  const type =
    shape.kindAt === undefined ? { type: kind === 'sms.status' ? 'delivery-report' : 'inbound-message' } : {};
  return { data: { ...type, attributes: value } };
}

function textOf({ number }: Happening): string {
  return texts[number % texts.length] ?? 'Ok';
}

function formText(structure: Structure, content: unknown): unknown {
  return structure === 'flat' ? content : content === null ? '' : String(content);
}

function numberAs({ number }: Shape, digits: string): string | number {
  if (number === 'number') return Number(digits);
  return { plus: '+', digits: '', zeros: '00' }[number] + digits;
}

function codeAs(
  { codesAreNumbers }: Shape,
  code: string | null | undefined,
): string | number | null | undefined {
  return codesAreNumbers && typeof code === 'string' && /^(?:0|[1-9]\d*)$/.test(code) ? Number(code) : code;
}

function referenceAs({ reference }: Shape, { message, number }: Happening): string | undefined {
  if (reference === 'blank') return '';
  return reference === 'sometimes' && number % 2 === 0 ? undefined : message.reference;
}

function putAt(
  target: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  content: unknown,
): void {
  const isList = step.endsWith('[]');
  const key = isList ? step.slice(0, -2) : step;
  if (rest.length === 0) {
    target[key] = content;
    return;
  }
  const present = target[key];
  const inner: Record<string, unknown> = Object(
    isList && Array.isArray(present) ? present[0] : (present ?? {}),
  );
  target[key] = isList ? [inner] : inner;
  putAt(inner, rest, content);
}

function requestsOf(shape: Shape, events: readonly MadeEvent[]): readonly MadeRequest[] {
  const { structure, listKey, draw } = shape;
  const isList = structure === 'list' || structure === 'root list';
  const groups: MadeEvent[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (isList && last !== undefined && last.length < 3 && chance(draw, 0.4)) last.push(event);
    else groups.push([event]);
  }
  return groups.map((group, index) => {
    const values = group.map(({ value }) => value);
    const body =
      structure === 'list' ? { [listKey]: values } : structure === 'root list' ? values : values[0];
    return { events: group, capture: captureOf(structure, body, index) };
  });
}

function captureOf(structure: Structure, body: unknown, index: number): Capture {
  const form = structure === 'form' || structure === 'query' ? encodeForm(body) : undefined;
  const url = 'https://hooks.example.com/webhooks/sms';
  const isQuery = structure === 'query';
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    name: `request ${index + 1}`,
    method: isQuery ? 'GET' : 'POST',
    url: isQuery ? `${url}?${Buffer.from(form ?? []).toString()}` : url,
    headers: isQuery ? {} : { 'Content-Type': type },
    body: isQuery ? Buffer.alloc(0) : (form ?? Buffer.from(JSON.stringify(body))),
    receivedAt: new Date(begin + index * 60_000).toISOString(),
  };
}
