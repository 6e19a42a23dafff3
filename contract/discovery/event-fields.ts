import {
  idCandidates,
  numberCandidates,
  proposeTime,
  type TimeFound,
  timeCandidates,
  timeFound,
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

/** What is proposed for a kind of events, and the fields it was found in. */
export interface FieldProposals {
  readonly proposals: readonly Proposal[];
  readonly time: TimeFound;
}

/** Finds where delivery reports say what. */
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
    time: timeFound(time),
  };
}

/** The field that says what became of the message: by its name, and by how many of its words are known. */
function statusCandidates(columns: readonly Column[]): Candidate[] {
  return rankColumns(columns, {
    names: roleNames.status,
    fits: (value) =>
      typeof value !== 'boolean' && String(value).length <= 128 && timeFormatOf(value) === undefined,
    looks: (column) => filled(column).every((value) => guessStatus(String(value))?.isWhole === true),
    bonus: (column) => {
      const words = [...distinct(filled(column))];
      const known = words.reduce((sum, word) => {
        const guess = guessStatus(word);
        return sum + (guess === undefined ? 0 : guess.isWhole ? 1 : 0.85);
      }, 0);
      const weight = nameWeight(column.name, roleNames.status);
      return (known / words.length - 1) * weight * 0.5;
    },
  });
}

function sendCandidates(columns: readonly Column[]): Candidate[] {
  return rankColumns(columns, { names: roleNames.sendId, fits: isId }).filter(({ score }) => score >= 70);
}

/** An error is not told where there is none: a field that every report has is more likely to say something else. */
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
 * Finds where replies say what.
 *
 * @param sentIds the ids of messages that delivery reports named: a reply that names one answers it
 * @param reports what was found of delivery reports
 * @param people the numbers that messages went to: what one of them is the sender of is no message of ours
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
    .map(({ column, score }) => ({ column, score: score + (isOf(people, column) ? 25 : 0) }))
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
  // Two ids beside each other: that of the reply is called so or plainly "id", that of the message by its name.
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
    time: timeFound(times),
  };
}

function guess(field: string, candidate: Candidate): Proposal {
  const note = 'two ids: one of the reply, one of the message that it answers';
  return { ...propose([candidate], { key: place(field), isRequired: false }), isCertain: false, note };
}

/** The id of the message that is answered: one that a report named, else one that is called so. */
function answeredId(
  columns: readonly Column[],
  sentIds: ReadonlySet<string>,
): { readonly candidate: Candidate; readonly isCertain: boolean } | undefined {
  const known = columns.find((column) =>
    filled(column).some((value) => isId(value) && isLong(value) && sentIds.has(String(value))),
  );
  if (known !== undefined) return { candidate: { column: known, score: 100 }, isCertain: true };
  const [named] = rankColumns(columns, { names: roleNames.answeredId, fits: isId });
  return named !== undefined && named.score >= 80
    ? { candidate: named, isCertain: named.score >= 90 }
    : undefined;
}

function isOwnName({ name }: Column): boolean {
  return /^(?:id|uuid|sid|guid|(?:reply|inbound|mo|incoming)(?:message)?(?:id|sid|uuid))$/.test(name.last);
}

/** Whether half of the numbers of a field, or more, are those of people we wrote to. */
function isOf(people: ReadonlySet<string>, column: Column): boolean {
  const values = filled(column);
  return values.filter((value) => people.has(String(value))).length * 2 >= values.length;
}

/** Short values are equal by chance. */
function isLong(value: Scalar): boolean {
  return String(value).length >= 4;
}

/** Short codes, and names that messages are sent under (GSM 03.40 takes 11 characters). */
function isOriginator(value: Scalar): boolean {
  return /^[\w .+-]{2,20}$/.test(String(value)) && timeFormatOf(value) === undefined;
}
