import { firstPaths, nearPaths } from '../document/nearest-names.ts';
import { isPresent } from '../drift/drift-watch.ts';
import { type BodyProblem, compileExpression, parseBody } from '../events/body.ts';
import { createMapper, type EventProblem } from '../events/mapping.ts';
import type { Contract } from '../schema/contract-schema.ts';
import type { SmsEvent } from '../schema/sms-event.ts';

/** What one expression of the contract gives on one event. */
export interface ExplainedField {
  readonly field: string;
  readonly expression: string;
  /** Undefined where it gives nothing. */
  readonly value?: unknown;
  /**
   * Where it gives nothing: paths of the event that may have been meant, the likeliest first; where the field is needed and
   * none is like it, the first there are.
   */
  readonly near?: readonly string[];
}

/** An event of a body, or what stands in its place, and how the contract came to it. */
export interface ExplainedEvent {
  /** What became of it; undefined where it could not be read. */
  readonly event?: SmsEvent;
  readonly reason?: EventProblem | BodyProblem;
  /** The field that the reason is about. */
  readonly field?: string;
  /** The list where no events were found, else the kind and the fields of that kind. */
  readonly fields: readonly ExplainedField[];
}

/** Reads a body as the worker does, and says of each event how. @returns at least one entry; never throws */
export type Explain = (
  body: Uint8Array,
  signedId: string | undefined,
  receivedAt: string,
) => readonly ExplainedEvent[];

/** What an event of a kind cannot be without. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'sms.status': ['messageId', 'status', 'occurredAt'],
  'sms.reply': ['from', 'text', 'occurredAt'],
};

/** Compiles a contract for people who want to know what it makes of a body. */
export function createExplain(contract: Contract): Explain {
  const map = createMapper(contract);
  const { list, kind, id, status, reply } = contract.events;
  return (body, signedId, receivedAt) =>
    map(body, signedId, receivedAt).map((mapped): ExplainedEvent => {
      if (mapped.kind === 'unreadable' && mapped.content === undefined) {
        const parsed = parseBody(contract.webhook.bodyFormat, body);
        const fields = parsed.kind === 'parsed' ? [explainField('list', list, parsed.value, true)] : [];
        return { reason: mapped.reason, fields };
      }
      const { content } = mapped;
      const foundKind = explainField('kind', kind, content, true);
      const { value: name } = foundKind;
      const expressions = name === 'sms.status' ? status : name === 'sms.reply' ? reply : {};
      // What one field is made of is hardly what another, that may be missing, should have been.
      const taken = new Set<unknown>(Object.values(expressions));
      const fields = [
        foundKind,
        ...(id.from === 'body' ? [explainField('eventId', id.path, content, true)] : []),
        ...Object.entries<string | null>(expressions).flatMap(([field, expression]) => {
          const isNeeded = needed[String(name)]?.includes(field) === true;
          return expression === null ? [] : [explainField(field, expression, content, isNeeded, taken)];
        }),
      ];
      if (mapped.kind === 'event') return { event: mapped.event, fields };
      const { reason, field } = mapped;
      return { reason, ...(field === undefined ? {} : { field }), fields };
    });
}

function explainField(
  field: string,
  expression: string,
  content: unknown,
  isNeeded: boolean,
  taken: ReadonlySet<unknown> = new Set(),
): ExplainedField {
  const value = evaluate(expression, content);
  if (isPresent(field, value)) return { field, expression, value };
  const near = nearPaths(expression, content).filter((path) => isNeeded || !taken.has(path));
  return { field, expression, near: near.length === 0 && isNeeded ? firstPaths(content) : near };
}

/** Some expressions are refused only by the values they meet. */
function evaluate(expression: string, content: unknown): unknown {
  try {
    return compileExpression(expression)(content);
  } catch {
    return undefined;
  }
}
