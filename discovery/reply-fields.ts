import {
  idCandidates,
  isCopyOf,
  isFurtherId,
  isPhoneColumn,
  isRatherNamed,
  isUnnamedNumber,
  numberCandidates,
  onlyOne,
  pathsOf,
  proposeTime,
  sharedBy,
  timeCandidates,
  unlessUnexplained,
} from './candidates.ts';
import {
  type Column,
  distinct,
  filled,
  isId,
  isPhone,
  type Scalar,
  timeFormatOf,
} from './captured/columns.ts';
import { isNamedAfterAnswered, nameWeight, roleNames } from './captured/field-names.ts';
import { isUnnamedText } from './event-kind.ts';
import {
  type Candidate,
  documentedWeight,
  minScore,
  type Proposal,
  propose,
  rankColumns,
} from './proposal.ts';

const place = (field: string) => `events.reply.${field}`;

/**
 * Proposes the fields of replies.
 *
 * @param sentIds the ids of messages in delivery reports: a reply with one of them answers that message
 * @param reportTime JMESPath to the time of delivery reports
 * @param people the numbers that messages went to, which send the replies
 */
export function proposeReplyFields(
  columns: readonly Column[],
  sentIds: ReadonlySet<string>,
  reportTime: string | undefined,
  people: ReadonlySet<string>,
): readonly Proposal[] {
  const named = rankColumns(columns, {
    names: roleNames.text,
    fits: (value) => typeof value === 'string',
    looks: (column) =>
      filled(column).some((value) => /\S\s+\S/.test(String(value)) && timeFormatOf(value) === undefined),
  });
  const text = named.length > 0 ? named : onlyOne(columns.filter(isUnnamedText));
  const senders = numberCandidates(columns, roleNames.from, roleNames.to);
  // The only number of a reply is its sender's, also if its name is that of a recipient.
  const from = (senders.length > 0 ? senders : onlyOne(columns.filter(isUnnamedNumber)))
    .map((phone) => ({ ...phone, score: phone.score + (belongsTo(people, phone.column) ? 25 : 0) }))
    .sort((a, b) => b.score - a.score);
  const [sender] = from;
  const to = rankColumns(
    columns.filter(
      (column) => column !== sender?.column && !isRatherNamed(column, roleNames.from, roleNames.to),
    ),
    {
      names: roleNames.to,
      fits: (value) => isPhone(value) || isOriginator(value),
      bonus: (column) => (filled(column).every(isPhone) ? 0 : -5),
    },
  );
  const times = timeCandidates(columns, roleNames.receivedAt, [sender, text[0]], reportTime);
  const found = { word: undefined, near: text[0]?.column, number: sender?.column };
  // Two replies with one id would become one event.
  const unshared = columns.filter(
    (column) =>
      !isNamedAfterAnswered(column.name) && !(text[0] !== undefined && sharedBy(column, text[0].column)),
  );
  const [likeliest] = idCandidates(unshared, roleNames.replyId, { ...found, taken: undefined });
  const answered = answeredId(columns, sentIds, likeliest?.column);
  const own = idCandidates(unshared, roleNames.replyId, { ...found, taken: answered?.candidate.column });
  // With two ids in one object, the reply's is named after it or plainly "id", and the answered message's is named after the message.
  const [best] = own;
  const plain = own.find(
    ({ column }) =>
      best !== undefined &&
      column !== best.column &&
      isOwnName(column) &&
      column.holder === best.column.holder &&
      column.name.prefix === best.column.name.prefix &&
      !isCopyOf(column, best.column),
  );
  const other = own.find(
    (candidate) =>
      best !== undefined && isNamedAfterMessage(candidate) && !isCopyOf(candidate.column, best.column),
  );
  const pair =
    answered !== undefined || best === undefined
      ? undefined
      : isNamedAfterMessage(best)
        ? plain && { reply: plain, message: best }
        : other && { reply: best, message: other };
  const proposed = [
    pair === undefined ? proposeOwnId(own, sentIds) : guess('replyId', pair.reply),
    answered === undefined
      ? pair === undefined
        ? propose([], { key: place('messageId'), isRequired: false })
        : guess('messageId', pair.message)
      : {
          ...propose([answered.candidate], { key: place('messageId'), isRequired: false }),
          isCertain: answered.isCertain,
        },
    propose(from, { key: place('from'), exampleOf: 'number', isRequired: true }),
    propose(to, { key: place('to'), exampleOf: 'number', isRequired: false }),
    propose(text, { key: place('text'), exampleOf: 'text', isRequired: true }),
    proposeTime(times, place('occurredAt')),
  ];
  const used = pathsOf(proposed);
  const ids = [(pair?.reply ?? best)?.column];
  const isEventId = ({ name }: Column) => nameWeight(name, roleNames.eventId) >= documentedWeight;
  const looks: Readonly<Record<string, (column: Column) => boolean>> = {
    [place('to')]: (column) => isPhoneColumn(column) || isShortCode(column),
    [place('replyId')]: (column) => isFurtherId(column, ids) && !isEventId(column),
    [place('messageId')]: (column) => isFurtherId(column, ids) && !isEventId(column),
  };
  const isCertain = (field: string) => proposed.some((one) => one.key === place(field) && one.isCertain);
  return proposed.map((one) => {
    const fits = looks[one.key];
    const checked = fits === undefined ? one : unlessUnexplained(one, columns, used, fits);
    // An only id may be that of the reply or that of the answered message.
    const isDoubted =
      (one.key === place('messageId') && !isCertain('replyId')) ||
      (one.key === place('replyId') && one.value === null && !isCertain('messageId'));
    return isDoubted ? { ...checked, isCertain: false } : checked;
  });
}

function proposeOwnId(own: readonly Candidate[], sentIds: ReadonlySet<string>): Proposal {
  const proposed = propose(own, { key: place('replyId'), isRequired: false });
  return proposed.isCertain && !isSeenAsOwn(own[0], sentIds)
    ? {
        ...proposed,
        isCertain: false,
        note: 'named like the id of a message: is it that of the answered one?',
      }
    : proposed;
}

function guess(field: string, candidate: Candidate): Proposal {
  const note = 'two ids: one of the reply, one of the message that it answers';
  return { ...propose([candidate], { key: place(field), isRequired: false }), isCertain: false, note };
}

/**
 * Finds the id of the answered message: one that occurs in a report, otherwise one with a suitable name. The reply's own id under another name
 * is no link.
 */
function answeredId(
  columns: readonly Column[],
  sentIds: ReadonlySet<string>,
  own: Column | undefined,
): { readonly candidate: Candidate; readonly isCertain: boolean } | undefined {
  const shared = columns.find((column) =>
    filled(column).some((value) => isId(value) && isLong(value) && sentIds.has(String(value))),
  );
  const named = rankColumns(columns, {
    names: roleNames.answeredId,
    fits: isId,
    looks: ({ name }) => isNamedAfterAnswered(name) && nameWeight(name, roleNames.messageId) >= minScore,
  }).find(({ column }) => !(own !== undefined && column !== own && isCopyOf(column, own)));
  if (shared !== undefined) {
    // One such value may be a coincidence: services number their replies and messages alike.
    const hits = [...distinct(filled(shared))].filter((value) => sentIds.has(value));
    const isCertain = shared === named?.column || hits.length > 1;
    return { candidate: { column: shared, score: 100, weight: 100 }, isCertain };
  }
  return named === undefined ? undefined : { candidate: named, isCertain: named.weight >= documentedWeight };
}

function isNamedAfterMessage({ column }: Candidate): boolean {
  return /m(?:es)?s(?:a)?ge?id$/.test(column.name.last);
}

/** Some services call the id of the answered message `messageId`. Different ids beside reports that have none of them are the replies' own. */
function isSeenAsOwn(candidate: Candidate | undefined, sentIds: ReadonlySet<string>): boolean {
  if (candidate === undefined || !isNamedAfterMessage(candidate)) return true;
  const values = filled(candidate.column).map(String);
  return sentIds.size > 0 && new Set(values).size > 1 && !values.some((value) => sentIds.has(value));
}

function isOwnName({ name }: Column): boolean {
  return /^(?:id|uuid|sid|guid|(?:reply|response|inbound|mo|incoming)(?:message)?(?:id|sid|uuid))$/.test(
    name.last,
  );
}

/** Reports whether at least half of a field's numbers belong to recipients of messages. */
function belongsTo(people: ReadonlySet<string>, column: Column): boolean {
  const values = filled(column);
  return values.filter((value) => people.has(String(value))).length * 2 >= values.length;
}

/** Recognises ids that are long enough not to be equal by chance. */
function isLong(value: Scalar): boolean {
  return String(value).length >= 4;
}

/** Recognises short codes in a field whose name ends like that of a number. */
function isShortCode(column: Column): boolean {
  return (
    /(?:number|code|address|line)$/.test(column.name.last) &&
    filled(column).every((value) => /^\d{3,8}$/.test(String(value)))
  );
}

/** Recognises short codes and alphanumeric originators (at most 11 characters by GSM 03.40). */
function isOriginator(value: Scalar): boolean {
  return /^[\w .+-]{2,20}$/.test(String(value)) && timeFormatOf(value) === undefined;
}
