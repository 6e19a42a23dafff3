import {
  type ChosenTime,
  chosenTime,
  idCandidates,
  numberCandidates,
  proposeTime,
  timeCandidates,
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
import { nameWeight, roleNames } from './captured/field-names.ts';
import { type Candidate, type Proposal, propose, rankColumns } from './proposal.ts';
import { guessStatus } from './words.ts';

/** The proposals for one kind of events, and its time. */
interface FieldProposals {
  readonly proposals: readonly Proposal[];
  readonly time: ChosenTime;
}

/** Proposes the fields of delivery reports. */
export function proposeStatusFields(columns: readonly Column[]): FieldProposals {
  const status = statusCandidates(columns);
  const recipient = numberCandidates(columns, roleNames.recipient);
  const [word] = status;
  const [number] = recipient;
  const time = timeCandidates(columns, roleNames.occurredAt, [word, number]);
  const send = sendCandidates(columns);
  const message = idCandidates(columns, roleNames.messageId, {
    word: word?.column,
    near: word?.column,
    number: number?.column,
    taken: send[0]?.column,
  });
  const code = errorCandidates(columns, roleNames.errorCode, isCode);
  const errorCode = code.filter(({ column }) => column !== word?.column);
  const texts = errorCandidates(columns, roleNames.errorText, isWords);
  const errorText = texts.filter(({ column }) => column !== word?.column && column !== errorCode[0]?.column);
  const place = (field: string) => `events.status.${field}`;
  return {
    proposals: [
      propose(message, { key: place('messageId'), isRequired: true }),
      propose(send, { key: place('sendId'), isRequired: false }),
      propose(recipient, { key: place('recipient'), exampleOf: 'number', isRequired: false }),
      propose(status, { key: place('status'), isRequired: true }),
      proposeTime(time, place('occurredAt')),
      propose(errorCode, { key: place('errorCode'), isRequired: false }),
      propose(errorText, { key: place('errorText'), exampleOf: 'text', isRequired: false }),
    ],
    time: chosenTime(time),
  };
}

/** Lists candidates for the status, by their name and by how many of their words are known. */
function statusCandidates(columns: readonly Column[]): Candidate[] {
  return rankColumns(columns, {
    names: roleNames.status,
    fits: (value) =>
      typeof value !== 'boolean' && String(value).length <= 128 && timeFormatOf(value) === undefined,
    looks: (column) => filled(column).every((value) => guessStatus(String(value))?.isWhole === true),
    bonus: (column) => {
      const words = [...distinct(filled(column))];
      const recognised = words.reduce((sum, word) => {
        const guess = guessStatus(word);
        return sum + (guess === undefined ? 0 : guess.isWhole ? 1 : 0.85);
      }, 0);
      const weight = nameWeight(column.name, roleNames.status);
      return (recognised / words.length - 1) * weight * 0.5;
    },
  });
}

function sendCandidates(columns: readonly Column[]): Candidate[] {
  return rankColumns(columns, { names: roleNames.sendId, fits: isId }).filter(({ score }) => score >= 70);
}

/** Lists candidates for a field about the error. Reports without an error lack it, so a field that every report has is less likely. */
function errorCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  fits: (value: Scalar) => boolean,
): Candidate[] {
  return rankColumns(columns, {
    names,
    fits,
    bonus: ({ name, values }) =>
      nameWeight(name, names) < 70 && values.length > 1 && values.every((value) => value !== undefined)
        ? -30
        : 0,
  });
}

function isCode(value: Scalar): boolean {
  return (typeof value === 'number' || typeof value === 'string') && /^\S{1,64}$/.test(String(value));
}

function isWords(value: Scalar): boolean {
  return typeof value === 'string' && /[A-Za-z]{2}/.test(value);
}

const place = (field: string) => `events.reply.${field}`;

/**
 * Proposes the fields of replies.
 *
 * @param sentIds the ids of messages in delivery reports: a reply with one of them answers that message
 * @param reports the proposals for delivery reports
 * @param people the numbers that messages went to, which send the replies
 */
export function proposeReplyFields(
  columns: readonly Column[],
  sentIds: ReadonlySet<string>,
  reports: Pick<FieldProposals, 'time'>,
  people: ReadonlySet<string>,
): FieldProposals {
  const text = rankColumns(columns, {
    names: roleNames.text,
    fits: (value) => typeof value === 'string',
    looks: (column) =>
      filled(column).some((value) => /\S\s+\S/.test(String(value)) && timeFormatOf(value) === undefined),
  });
  const from = numberCandidates(columns, roleNames.from)
    .map(({ column, score }) => ({ column, score: score + (belongsTo(people, column) ? 25 : 0) }))
    .sort((a, b) => b.score - a.score);
  const [sender] = from;
  const to = rankColumns(
    columns.filter((column) => column !== sender?.column),
    {
      names: roleNames.to,
      fits: (value) => isPhone(value) || isOriginator(value),
      bonus: (column) => (filled(column).every(isPhone) ? 0 : -5),
    },
  );
  const times = timeCandidates(columns, roleNames.receivedAt, [sender, text[0]], reports.time);
  const answered = answeredId(columns, sentIds);
  const own = idCandidates(columns, roleNames.replyId, {
    word: undefined,
    near: text[0]?.column,
    number: sender?.column,
    taken: answered?.candidate.column,
  });
  // With two ids in one object, the reply's is named after it or plainly "id", and the answered message's is named after the message.
  const [best] = own;
  const plain = own.find(
    ({ column }) => column !== best?.column && isOwnName(column) && column.holder === best?.column.holder,
  );
  const isNamedAfterMessage =
    answered === undefined && best !== undefined && /m(?:es)?s(?:a)?ge?id$/.test(best.column.name.last);
  const pair = isNamedAfterMessage && plain !== undefined ? { reply: plain, message: best } : undefined;
  return {
    proposals: [
      pair === undefined
        ? propose(own, { key: place('replyId'), isRequired: false })
        : guess('replyId', pair.reply),
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
    ],
    time: chosenTime(times),
  };
}

function guess(field: string, candidate: Candidate): Proposal {
  const note = 'two ids: one of the reply, one of the message that it answers';
  return { ...propose([candidate], { key: place(field), isRequired: false }), isCertain: false, note };
}

/** Finds the id of the answered message: one that occurs in a report, otherwise one with a suitable name. */
function answeredId(
  columns: readonly Column[],
  sentIds: ReadonlySet<string>,
): { readonly candidate: Candidate; readonly isCertain: boolean } | undefined {
  const shared = columns.find((column) =>
    filled(column).some((value) => isId(value) && isLong(value) && sentIds.has(String(value))),
  );
  if (shared !== undefined) return { candidate: { column: shared, score: 100 }, isCertain: true };
  const [named] = rankColumns(columns, { names: roleNames.answeredId, fits: isId });
  return named !== undefined && named.score >= 80
    ? { candidate: named, isCertain: named.score >= 90 }
    : undefined;
}

function isOwnName({ name }: Column): boolean {
  return /^(?:id|uuid|sid|guid|(?:reply|inbound|mo|incoming)(?:message)?(?:id|sid|uuid))$/.test(name.last);
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

/** Recognises short codes and alphanumeric originators (at most 11 characters by GSM 03.40). */
function isOriginator(value: Scalar): boolean {
  return /^[\w .+-]{2,20}$/.test(String(value)) && timeFormatOf(value) === undefined;
}
