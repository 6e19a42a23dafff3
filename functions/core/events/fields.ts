import { compileExpression, type Expression } from './expression.ts';

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
