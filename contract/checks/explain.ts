import { firstPaths, nearPaths } from '../document/nearest-names.ts';
import { isPresent } from '../drift/drift-watch.ts';
import type { UnreadValue } from '../drift/unread-values.ts';
import { lenientExpression, parseBody, readBeside, rulesOf } from '../events/body.ts';
import { createMapper } from '../events/mapping.ts';
import type { BodyProblem, EventProblem } from '../events/problems.ts';
import { type RequestValues, withBeside } from '../events/request-values.ts';
import type { Contract } from '../schema/contract-schema.ts';
import type { SmsEvent } from '../schema/sms-event.ts';

/** The result of one expression of the contract on one event. */
export interface ExplainedField {
  readonly field: string;
  readonly expression: string;
  /** Undefined if the expression finds nothing. */
  readonly value?: unknown;
  /**
   * If the expression finds nothing: similar paths of the event, the likeliest first. For a required field without similar paths, the
   * first paths of the event.
   */
  readonly near?: readonly string[];
}

/** One event of a body, or why it cannot be read, with the result of each expression. */
export interface ExplainedEvent {
  /** Undefined if the event cannot be read. */
  readonly event?: SmsEvent;
  readonly reason?: EventProblem | BodyProblem;
  /** The field that the reason is about. */
  readonly field?: string;
  /** The list if no events were found; otherwise the kind and the fields of that kind. */
  readonly fields: readonly ExplainedField[];
  /** The values that are kept as received, because they cannot be read exactly. Left out if there are none. */
  readonly unread?: readonly UnreadValue[];
}

/** Reads a body as the worker does, and explains each event. @returns at least one entry; never throws */
type Explain = (
  body: Uint8Array,
  signedId: string | undefined,
  receivedAt: string,
  request?: RequestValues,
) => readonly ExplainedEvent[];

/** The required fields of each kind of event. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'sms.status': ['messageId', 'status', 'occurredAt'],
  'sms.reply': ['from', 'text', 'occurredAt'],
};

/** Compiles a contract into a function that explains how it reads a body. */
export function createExplain(contract: Contract): Explain {
  const map = createMapper(contract);
  const { list, kind, id, status, reply } = contract.events;
  return (body, signedId, receivedAt, request = {}) => {
    const rules = rulesOf(contract.webhook, request.method);
    const beside = readBeside(rules, request)?.all ?? {};
    return map(body, signedId, receivedAt, request).map((mapped): ExplainedEvent => {
      if (mapped.kind === 'unreadable' && mapped.content === undefined) {
        const parsed = parseBody(rules, body);
        const fields = parsed.kind === 'parsed' ? [explainField('list', list, parsed.value, true)] : [];
        return { reason: mapped.reason, fields };
      }
      const content = withBeside(mapped.content, beside);
      const foundKind = explainField('kind', kind, content, true);
      const { value: name } = foundKind;
      const expressions = name === 'sms.status' ? status : name === 'sms.reply' ? reply : {};
      // A path that one field uses is hardly the right path of another field, which may simply be missing.
      const taken = new Set<unknown>(Object.values(expressions));
      const fields = [
        foundKind,
        ...(id.from === 'body' ? [explainField('eventId', id.path, content, true)] : []),
        ...Object.entries<string | null>(expressions).flatMap(([field, expression]) => {
          const isNeeded = needed[String(name)]?.includes(field) === true;
          return expression === null ? [] : [explainField(field, expression, content, isNeeded, taken)];
        }),
      ];
      const unread = mapped.unread === undefined ? {} : { unread: mapped.unread };
      if (mapped.kind === 'event') return { event: mapped.event, fields, ...unread };
      const { reason, field } = mapped;
      return { reason, ...(field === undefined ? {} : { field }), fields, ...unread };
    });
  };
}

function explainField(
  field: string,
  expression: string,
  content: unknown,
  isNeeded: boolean,
  taken: ReadonlySet<unknown> = new Set(),
): ExplainedField {
  const value = lenientExpression(expression)(content);
  if (isPresent(field, value)) return { field, expression, value };
  const near = nearPaths(expression, content).filter((path) => isNeeded || !taken.has(path));
  return { field, expression, near: near.length === 0 && isNeeded ? firstPaths(content) : near };
}
