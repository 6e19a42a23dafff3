import { type Column, coverage, distinct, filled, isId } from './captured/columns.ts';
import { roleNames } from './captured/field-names.ts';
import { type Candidate, type Proposal, rankColumns } from './proposal.ts';

/** What an event's identity is looked for by. */
export interface IdSearch {
  /** Of all events. */
  readonly columns: readonly Column[];
  /** Fields that identify messages and replies: the events of a message share them. */
  readonly taken: ReadonlySet<string>;
  /** Of each captured body, the id that its signature covers, and what the body is, to tell repeats; none where the scheme has no id. */
  readonly signed: readonly { readonly id: string; readonly body: string }[];
  /** Of each event, what tells it from others. */
  readonly contents: readonly string[];
}

/** How `events.id` is written as one text: these two, or JMESPath to a field. */
export const signedId = 'signed-id';
export const contentId = 'content';

/**
 * Finds what makes two deliveries the same event: an id that the signature covers and that differs from event to event, else a
 * field that is called an event's id and does, else the content.
 */
export function proposeEventId({ columns, taken, signed, contents }: IdSearch): Proposal {
  const key = 'events.id';
  const named = rankColumns(columns, { names: roleNames.eventId, fits: isId }).filter(
    (candidate) => !taken.has(candidate.column.path) && isUnique(candidate, contents),
  );
  const inBody = named.find(({ score }) => score >= 70);
  if (signed.length > 0 && identifies(signed))
    return {
      key,
      value: signedId,
      isCertain: true,
      rivals: inBody === undefined ? [] : [inBody.column.path],
    };
  const value = contentId;
  if (inBody === undefined)
    return {
      key,
      value,
      isCertain: true,
      rivals: [],
      note: 'no id of the event itself: its content stands for it',
    };
  const example = filled(inBody.column)[0];
  return {
    key,
    value: inBody.column.path,
    isCertain: inBody.score >= 90 || distinct(filled(inBody.column)).size >= 3,
    rivals: [contentId],
    ...(example === undefined ? {} : { example: { of: 'plain', value: String(example) } }),
  };
}

/** Whether no two bodies share an id; a body that came again has it again, unless the id is of the delivery alone. */
function identifies(signed: IdSearch['signed']): boolean {
  const bodyOf = new Map<string, string>();
  const idOf = new Map<string, string>();
  for (const { id, body } of signed) {
    if ((bodyOf.get(id) ?? body) !== body || (idOf.get(body) ?? id) !== id) return false;
    bodyOf.set(id, body);
    idOf.set(body, id);
  }
  return true;
}

/** Whether every event has one, and other events another. */
function isUnique({ column }: Candidate, contents: readonly string[]): boolean {
  if (coverage(column) < column.values.length) return false;
  const contentOf = new Map<string, string>();
  return column.values.every((value, index) => {
    const content = contents[index] ?? '';
    const before = contentOf.get(String(value)) ?? content;
    contentOf.set(String(value), content);
    return before === content;
  });
}
