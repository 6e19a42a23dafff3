import { isCopyOf } from './candidates.ts';
import { type Column, coverage, distinct, filled, isId } from './captured/columns.ts';
import { roleNames } from './captured/field-names.ts';
import { type Candidate, contentId, type Proposal, proposal, rankColumns, signedId } from './proposal.ts';

/** The facts from which an event's identity is derived. */
interface IdSearch {
  /** The fields of all events. */
  readonly columns: readonly Column[];
  /** The fields that identify messages and replies. The events of a message share them. */
  readonly taken: ReadonlySet<string>;
  /** The id that the signature of each captured body covers, with the body to recognise repeats; empty if the scheme has no id. */
  readonly signed: readonly { readonly id: string; readonly body: string }[];
  /** A hash of each event's content. */
  readonly contents: readonly string[];
  /** Whether some reply has neither an id nor a time, so that a copy of it looks like another reply. */
  readonly hasTimelessReplies: boolean;
  /** Whether the signature covers such an id, and leaves it one form. */
  readonly allows: (from: 'body' | 'content' | 'signed-id') => boolean;
}

/** A service may change a field when it sends an event again, such as the count of attempts. Captures without a retry do not show it. */
const byContent =
  'no field is named like the id of an event: its content is used, so an event that is sent again with another content counts twice';

/**
 * Proposes the identity of an event: an id that the signature covers if it differs between events, otherwise a field that is named like
 * an event's id and differs, otherwise the content. Never one that the signature does not cover.
 */
export function proposeEventId(search: IdSearch): Proposal {
  const { columns, taken, signed, contents, hasTimelessReplies, allows } = search;
  const key = 'events.id';
  const named = rankColumns(columns, { names: roleNames.eventId, fits: isId }).filter(
    (candidate) =>
      !taken.has(candidate.column.path) &&
      !columns.some((other) => taken.has(other.path) && isCopyOf(candidate.column, other)) &&
      isUnique(candidate, contents),
  );
  const inBody = allows('body') ? named.find(({ score }) => score >= 70) : undefined;
  if (signed.length > 0 && identifies(signed) && allows('signed-id'))
    return proposal(key, signedId, true, { rivals: inBody === undefined ? [] : [inBody.column.path] });
  if (!allows('body'))
    return proposal(key, allows('signed-id') ? signedId : undefined, false, {
      note: 'the signature does not cover the body: only an id that it covers may identify events',
    });
  const rivals = allows('content') ? [contentId] : [];
  if (inBody === undefined && !allows('content'))
    return proposal(key, allows('signed-id') ? signedId : undefined, false, {
      rivals: named.map(({ column }) => column.path),
      note: 'the signature leaves parts of the content open: an id that it covers has to identify events',
    });
  if (inBody === undefined)
    return proposal(key, contentId, false, {
      note: hasTimelessReplies
        ? `${byContent}. Replies have neither an id nor a time: an equal reply is a copy only within 4 seconds`
        : byContent,
    });
  const example = filled(inBody.column)[0];
  const isShown = inBody.score >= 90 || distinct(filled(inBody.column)).size >= 3;
  const isCertain = isShown && !inBody.column.path.includes('[0]');
  return proposal(key, inBody.column.path, isCertain, {
    rivals,
    ...(example === undefined ? {} : { example: { of: 'plain', value: String(example) } }),
  });
}

/** Reports whether no two bodies share an id, and a repeated body has the same id again. Otherwise the id identifies the delivery. */
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

/** Reports whether every event has an id, and different events have different ids. */
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
