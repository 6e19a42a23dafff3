import { createHash } from 'node:crypto';
import { JMESPathTypeError, search } from '@aws-lambda-powertools/jmespath';
import type { Contract } from '../schema/contract-schema.ts';
import { type RequestForm, requestForms } from '../schema/request-form.ts';
import { decodePercent, encodePercent } from '../text/charset.ts';
import { isObject } from '../text/json.ts';
import { formPairs, readJsonBody } from '../text/request-body.ts';
import { expressionFunctions, UndecodableError } from './expression-functions.ts';
import type { BodyProblem } from './problems.ts';
import { type BesideValues, besideValues, type RequestValues } from './request-values.ts';

const printable = /^[\x21-\x7e]{1,128}$/;

/** Returns the id, or its hash if it does not fit the name of a DynamoDB attribute or would sort differently there. */
export function eventIdFrom(id: string): string {
  return printable.test(id) ? id : contentId(id);
}

/** Hashes a JSON value with SHA-256 (base64url). The order of keys does not matter. */
export function contentId(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

// JSON.stringify escapes lone surrogates. As UTF-8 they would all hash alike.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Identifies the parts of a contract that decide how requests and events are read, in 12 characters. */
export function contractHash({
  webhook: { retries: _, ...webhook },
  events,
  statuses,
  errors,
}: Contract): string {
  return contentId({ webhook, events, statuses, errors }).slice(0, 12);
}

/**
 * Identifies the rules for event ids, in 12 characters. Two contracts with the same hash give an event of a body the same id. The id comes
 * from the signature, the event or its content; `events.list` decides which value is the event and at which position.
 */
export function identityHash({ webhook, events }: Pick<Contract, 'webhook' | 'events'>): string {
  const { bodyFormat, charset, reads } = webhook;
  const { list, id } = events;
  const signedIdIn = ({ signature }: Pick<RequestForm, 'signature'>) =>
    id.from === 'signed-id' && 'id' in signature ? signature.id : null;
  const [main, ...others] = requestForms(webhook);
  const also = others.map((form) => ({
    method: form.method,
    bodyFormat: form.bodyFormat,
    charset: form.charset,
    signedId: signedIdIn(form),
  }));
  return contentId({
    bodyFormat,
    charset,
    list,
    id,
    signedId: signedIdIn(main),
    // Left out where a contract has neither, so that it keeps its hash.
    ...(also.length > 0 && { also }),
    ...(reads !== undefined && { reads }),
  }).slice(0, 12);
}

type ParsedBody =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | {
      readonly kind: 'unreadable';
      readonly reason: BodyProblem;
      /** The fields of a form that can be read although others cannot. */
      readonly readable?: unknown;
    };

/** The parts of a contract that say how the bytes of a body are read. */
export type BodyRules = Pick<Contract['webhook'], 'bodyFormat' | 'charset' | 'reads'>;

/** Parses the raw bytes of a body in the contract's format. An empty body is an empty object if the contract reads values beside it. */
export function parseBody({ bodyFormat, charset, reads }: BodyRules, body: Uint8Array): ParsedBody {
  if (body.length === 0)
    return reads === undefined ? { kind: 'unreadable', reason: 'empty-body' } : { kind: 'parsed', value: {} };
  if (bodyFormat === 'form') return parseForm(body, charset);
  return readJsonBody(body, charset);
}

/** Returns how the requests of one HTTP method are read. The query of a GET is its body, so it is not read beside it. */
export function rulesOf(
  webhook: BodyRules & Partial<Pick<Contract['webhook'], 'method' | 'also'>>,
  method: string | undefined,
): BodyRules {
  const { also, reads } = webhook;
  const {
    method: main = 'POST',
    bodyFormat,
    charset,
  } = also?.method === method && also !== undefined ? also : webhook;
  const { query, path } = reads ?? {};
  const read = {
    ...(query !== undefined && main !== 'GET' && { query }),
    ...(path !== undefined && { path }),
  };
  return {
    bodyFormat,
    ...(charset !== undefined && { charset }),
    ...(Object.keys(read).length > 0 && { reads: read }),
  };
}

/** Reads the values beside the body that a contract names. @returns undefined if the query is not text in the charset */
export function readBeside(
  { reads, charset }: Pick<BodyRules, 'reads' | 'charset'>,
  request: RequestValues,
): BesideValues | undefined {
  return besideValues(reads, request, (query) => {
    const parsed = parseForm(Buffer.from(query), charset);
    return parsed.kind === 'parsed' ? parsed.value : undefined;
  });
}

/**
 * Reads the fields of a form by name. A field that occurs several times becomes a list. Bytes that are not text in the charset make the form
 * unreadable.
 */
function parseForm(body: Uint8Array, charset: BodyRules['charset']): ParsedBody {
  // Each character is one byte until the value is decoded.
  const pairs = formPairs(Buffer.from(body).toString('latin1'));
  const charsetOfForm = typeof charset === 'object' ? charset.otherwise : (charset ?? 'utf-8');
  const charsetField =
    typeof charset === 'object' ? pairs.find(({ name }) => name === charset.field)?.value : undefined;
  const charsetOf = (name: string) =>
    typeof charset === 'object' && charsetField && charset.of.includes(name)
      ? decodeField(charsetField, charsetOfForm)
      : charsetOfForm;
  const fields = new Map<string, string | string[]>();
  let isReadable = true;
  for (const pair of pairs) {
    try {
      const name = decodeField(pair.name, charsetOfForm);
      const value = decodeValue(pair.value, charsetOf(name));
      const before = fields.get(name);
      if (Array.isArray(before)) before.push(value);
      else fields.set(name, before === undefined ? value : [before, value]);
    } catch {
      isReadable = false;
    }
  }
  const value = Object.fromEntries(fields);
  return isReadable ? { kind: 'parsed', value } : { kind: 'unreadable', reason: 'not-utf8', readable: value };
}

function decodeField(text: string, charset: string): string {
  const spaced = text.replaceAll('+', ' ');
  return /[%\x80-\xff]/.test(spaced) ? decodePercent(spaced, charset) : spaced;
}

/** In UTF-16 a letter may be two bytes that look like letters. The names of fields are ASCII in every charset. */
function decodeValue(text: string, charset: string): string {
  return /utf-?16/i.test(charset)
    ? decodePercent(text.replaceAll('+', ' '), charset)
    : decodeField(text, charset);
}

/** Writes a form with the fields of an object, as {@link parseBody} reads it. */
export function encodeForm(body: unknown, charset?: BodyRules['charset']): Uint8Array {
  const fields = isObject(body) ? Object.entries(body) : [];
  const named =
    typeof charset === 'object' ? fields.find(([name]) => name === charset.field)?.[1] : undefined;
  const charsetOfForm = typeof charset === 'object' ? charset.otherwise : (charset ?? 'utf-8');
  const charsetOf = (name: string) =>
    typeof charset === 'object' && typeof named === 'string' && charset.of.includes(name)
      ? named
      : charsetOfForm;
  const pairs = fields.flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one) => `${encodePercent(name, charsetOfForm)}=${encodePercent(String(one), charsetOf(name))}`),
  );
  return Buffer.from(pairs.join('&'));
}

/** Evaluates one JMESPath expression on a JSON value. The result is null if there is no such value. */
export type Expression = (value: unknown) => unknown;

/**
 * Compiles a JMESPath expression. The library caches the parsed form by text, so each expression is parsed once.
 *
 * @throws ParseError, LexerError or another error of the library for text that is not JMESPath
 */
export function compileExpression(text: string): Expression {
  // The library finds parsed forms as properties of an object, which has some of its own, such as `constructor`.
  const expression = text in Object.prototype ? ` ${text}` : text;
  const evaluate = (value: unknown): unknown =>
    search(expression, value as Parameters<typeof search>[1], { customFunctions: expressionFunctions });
  try {
    evaluate(null);
  } catch (error) {
    // The text is valid even if one of its functions rejects null: events hold other values.
    if (!(error instanceof JMESPathTypeError)) throw error;
  }
  return evaluate;
}

/** Compiles an expression that returns undefined if evaluating it fails. @throws as {@link compileExpression} */
export function lenientExpression(text: string): Expression {
  const evaluate = compileExpression(text);
  return (value) => {
    try {
      return evaluate(value);
    } catch {
      return undefined;
    }
  };
}

type FieldProblem =
  | 'unknown-kind'
  | 'missing-field'
  | 'bad-field'
  | 'bad-encoding'
  | 'field-too-long'
  | 'bad-time';

/** Thrown for a field that cannot be read. It names the field and the problem, never the value. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly reason: FieldProblem;
  readonly field: string;

  constructor(reason: FieldProblem, field: string) {
    super(`${field}: ${reason}`);
    this.reason = reason;
    this.field = field;
  }
}

/** Reads the fields of one event as text. Numbers become text. */
export interface Fields<F extends string> {
  /** @throws FieldError if the field is missing, blank, not text or longer than the limit (in UTF-16 units) */
  required(field: F, maxLength: number): string;
  /** Returns undefined if the field is missing or blank. @throws FieldError as `required` */
  optional(field: F, maxLength?: number): string | undefined;
  /** Reads a field of any length, which may be empty. Texts of a list become lines. Returns undefined if there is none. @throws FieldError as `required` */
  text(field: F): string | undefined;
  /** Returns the unchanged value, or undefined if there is none. @throws as the expression */
  raw(field: string): unknown;
}

/** Compiles the expressions of one kind of event. */
export function fieldReader<F extends string>(
  expressions: Readonly<Record<F, string | null>>,
): (event: unknown) => Fields<F> {
  const compiled = new Map<string, Expression | undefined>(
    Object.entries<string | null>(expressions).map(([field, text]) => [
      field,
      text === null ? undefined : compileExpression(text),
    ]),
  );
  return (event) => {
    const values = new Map<string, unknown>();
    /** Evaluates each expression once. */
    function raw(field: string): unknown {
      if (!values.has(field)) values.set(field, evaluate(field) ?? undefined);
      return values.get(field);
    }
    function evaluate(field: string): unknown {
      try {
        return compiled.get(field)?.(event);
      } catch (error) {
        throw error instanceof UndecodableError ? new FieldError('bad-encoding', field) : error;
      }
    }
    function textOf(field: F): string | undefined {
      const value = raw(field);
      if (value === undefined || typeof value === 'string') return value;
      if (typeof value === 'number' && Number.isFinite(value)) return String(value);
      throw new FieldError('bad-field', field);
    }
    function linesOf(values: readonly unknown[], field: F): string | undefined {
      const lines = values.filter((line) => line !== null && line !== '');
      if (!lines.every((line) => typeof line === 'string')) throw new FieldError('bad-field', field);
      return lines.length === 0 ? undefined : lines.join('\n');
    }
    function optional(field: F, maxLength = Number.POSITIVE_INFINITY): string | undefined {
      const text = textOf(field);
      if (text === undefined || text.trim() === '') return undefined;
      if (text.length > maxLength) throw new FieldError('field-too-long', field);
      return text;
    }
    function orMissing(text: string | undefined, field: F): string {
      if (text === undefined) throw new FieldError('missing-field', field);
      return text;
    }
    return {
      optional,
      required: (field, maxLength) => orMissing(optional(field, maxLength), field),
      text(field) {
        const value = raw(field);
        return Array.isArray(value) ? linesOf(value, field) : textOf(field);
      },
      raw,
    };
  };
}
