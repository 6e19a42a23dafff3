import { type Column, distinct, filled } from './columns.ts';
import { nameWeight } from './field-name.ts';
import { idCandidates } from './id-candidates.ts';
import { numberCandidates } from './number-candidates.ts';
import { type Proposal, propose } from './proposal.ts';
import { type Candidate, rankColumns } from './rank-columns.ts';
import { roleNames } from './role-names.ts';
import { isId, type Scalar, timeFormatOf } from './scalar.ts';
import { guessStatus } from './status-word.ts';
import { proposeTime, type TimeFound, timeCandidates, timeFound } from './time-candidates.ts';

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
