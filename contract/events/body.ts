import { JMESPathTypeError, search } from '@aws-lambda-powertools/jmespath';
import { Functions } from '@aws-lambda-powertools/jmespath/functions';
import type { Contract } from '../schema/contract-schema.ts';

/** Why a whole body could not be read. */
export type BodyProblem = 'empty-body' | 'not-utf8' | 'not-json' | 'too-deep';

export type ParsedBody =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly reason: BodyProblem };

/** No event of a message service nests deeper; what does is an attack on whatever recurses over it. */
const maximumDepth = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the raw bytes of a body as the contract's format says. */
export function parseBody(format: Contract['webhook']['bodyFormat'], body: Uint8Array): ParsedBody {
  if (body.length === 0) return { kind: 'unreadable', reason: 'empty-body' };
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return { kind: 'unreadable', reason: 'not-utf8' };
  }
  if (format === 'form') return { kind: 'parsed', value: parseForm(text) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', reason: 'not-json' };
  }
  if (isDeeperThan(maximumDepth, value)) return { kind: 'unreadable', reason: 'too-deep' };
  return { kind: 'parsed', value: /\d{16}/.test(text) ? JSON.parse(text, keepLongNumbers) : value };
}

/** An id of many digits is more than a number holds: it stays text, as it was written. */
function keepLongNumbers(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined && /^-?\d{16,}$/.test(source) ? source : value;
}

/** Fields by name; a field given several times becomes a list. */
function parseForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name);
    if (Array.isArray(known)) known.push(value);
    else fields.set(name, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(fields);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(limit: number, root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/** Evaluates one JMESPath expression over a JSON value; what is not there is null. */
export type Expression = (value: unknown) => unknown;

/** Of the standard. The library asks for their names at every evaluation, and takes most of its time to gather them. */
const customFunctions = new Functions();
const names = customFunctions.introspectMethods();
customFunctions.introspectMethods = () => names;

/**
 * Compiles a JMESPath expression. The library keeps the parsed form by its text, so each is parsed once.
 *
 * @throws ParseError, LexerError or another error of the library for text that is no JMESPath
 */
export function compileExpression(text: string): Expression {
  const evaluate = (value: unknown): unknown =>
    search(text, value as Parameters<typeof search>[1], { customFunctions });
  try {
    evaluate(null);
  } catch (error) {
    // A function that refuses null is no mistake of the text: it will meet other values.
    if (!(error instanceof JMESPathTypeError)) throw error;
  }
  return evaluate;
}

export type FieldProblem = 'unknown-kind' | 'missing-field' | 'bad-field' | 'field-too-long' | 'bad-time';

/** Says which field of an event is wrong and how; never what it holds. */
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

/** Reads fields of one event as text; numbers are written out. */
export interface Fields<F extends string> {
  /** @throws FieldError where the field is missing, blank, no text or longer than the limit (in UTF-16 units) */
  required(field: F, limit: number): string;
  /** Undefined where the field is missing or blank. @throws FieldError as `required` */
  optional(field: F, limit?: number): string | undefined;
  /** As `required`, of any length, empty text included. */
  text(field: F): string;
  /** What the expression finds, as it is; undefined where that is nothing. May throw what the expression does. */
  raw(field: string): unknown;
}

/** Compiles the expressions of one kind of event, by field. */
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
    const found = new Map<string, unknown>();
    /** Each expression is evaluated once. */
    function raw(field: string): unknown {
      if (!found.has(field)) found.set(field, compiled.get(field)?.(event) ?? undefined);
      return found.get(field);
    }
    function value(field: F): string | undefined {
      const found = raw(field);
      if (found === undefined || typeof found === 'string') return found;
      if (typeof found === 'number' && Number.isFinite(found)) return String(found);
      throw new FieldError('bad-field', field);
    }
    function optional(field: F, limit = Number.POSITIVE_INFINITY): string | undefined {
      const found = value(field);
      const text = found?.trim() === '' ? undefined : found;
      if (text !== undefined && text.length > limit) throw new FieldError('field-too-long', field);
      return text;
    }
    function orMissing(text: string | undefined, field: F): string {
      if (text === undefined) throw new FieldError('missing-field', field);
      return text;
    }
    return {
      optional,
      required: (field, limit) => orMissing(optional(field, limit), field),
      text: (field) => orMissing(value(field), field),
      raw,
    };
  };
}
