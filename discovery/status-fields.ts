import { rankOf } from '../contract/schema/sms-event.ts';
import {
  idCandidates,
  isCopyOf,
  isFurtherId,
  isPhoneColumn,
  numberCandidates,
  pathsOf,
  proposeMessageId,
  proposeTime,
  sharedBy,
  timeCandidates,
  unlessUnexplained,
} from './candidates.ts';
import { type Column, distinct, filled, isId, timeFormatOf } from './captured/columns.ts';
import { nameWeight, roleNames } from './captured/field-names.ts';
import { proposeErrorFields } from './error-fields.ts';
import {
  type Candidate,
  documentedWeight,
  maxRivalGap,
  type Proposal,
  propose,
  rankColumns,
} from './proposal.ts';
import { guessStatus } from './words.ts';

/** Proposes the fields of delivery reports. */
export function proposeStatusFields(columns: readonly Column[]): readonly Proposal[] {
  const status = latestFirst(statusCandidates(columns));
  const recipient = numberCandidates(columns, roleNames.recipient, roleNames.from);
  const [word] = status;
  const [number] = recipient;
  const time = timeCandidates(columns, roleNames.occurredAt, [word, number]);
  const sends = sendCandidates(columns);
  // The type of an event is in its envelope, and the id of the message is beside the number.
  const near = word !== undefined && isEventType(word.column) ? (number ?? word) : word;
  const found = { word: word?.column, near: near?.column, number: number?.column };
  const ids = idCandidates(columns, roleNames.messageId, { ...found, taken: sends[0]?.column });
  const [best] = ids;
  // A service without another id reports by the id of the send.
  const isSendOnly = sends.length > 0 && (best === undefined || best.weight < 55);
  const message = isSendOnly ? sends : ids;
  const isOther = ({ column }: Candidate) => message[0] === undefined || !isCopyOf(column, message[0].column);
  const send = isSendOnly ? [] : sends.filter(isOther);
  // An id of the event looks like that of the message if the service has only the id of the send.
  const [sendOf] = sends;
  const mayBeSwapped =
    sendOf !== undefined &&
    (isSendOnly || (best !== undefined && isRather(sendOf.column, best.column, word)));
  const asGuess = (one: Proposal): Proposal => (mayBeSwapped ? { ...one, isCertain: false } : one);
  const place = (field: string) => `events.status.${field}`;
  const ofStatus = propose(status, { key: place('status'), isRequired: true });
  const parts = ofStatus.value?.split(' || ') ?? [];
  const words = status.flatMap(({ column }) => (parts.includes(column.path) ? [column] : []));
  const proposed = [
    asGuess(proposeMessageId(message, columns, word?.column, place('messageId'))),
    propose(recipient, { key: place('recipient'), exampleOf: 'number', isRequired: false }),
    ofStatus,
    proposeTime(time, place('occurredAt')),
    ...proposeErrorFields(columns, words),
  ];
  const used = pathsOf(proposed);
  const known = [message[0]?.column];
  return [
    unlessUnexplained(
      asGuess(propose(send, { key: place('sendId'), isRequired: false })),
      columns,
      used,
      (column) => isFurtherId(column, known),
    ),
    ...proposed.map((one) =>
      one.key === place('recipient') ? unlessUnexplained(one, columns, used, isPhoneColumn) : one,
    ),
  ];
}

/** Recognises a status that is the type of the event: `"type": "message.delivered"`. */
function isEventType({ name }: Column): boolean {
  return nameWeight(name, roleNames.kind) > nameWeight(name, roleNames.status);
}

/** Reports whether one id repeats with another status, as that of a message does, and the other never repeats. */
function isRather(one: Column, other: Column, word: Candidate | undefined): boolean {
  return word !== undefined && sharedBy(one, word.column) && !sharedBy(other, word.column);
}

/** Lists candidates for the status, by their name and by how many of their words are known. */
function statusCandidates(columns: readonly Column[]): Candidate[] {
  const hasWords = columns.some(
    (column) =>
      nameWeight(column.name, roleNames.status) >= 60 &&
      filled(column).length > 0 &&
      filled(column).every((value) => guessStatus(String(value))?.isWhole === true),
  );
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
      // Codes are documented by the service alone. Beside words, or all zero, they are more likely those of errors.
      if (words.every((one) => /^\d{1,4}$/.test(one)) && (hasWords || words.every((one) => /^0+$/.test(one))))
        return -30;
      if (words.every((one) => /^\d{1,4}$/.test(one))) return weight >= documentedWeight ? -5 : -12;
      return (recognised / words.length - 1) * weight * 0.5;
    },
  });
}

/** Puts the later one of two statuses in one event first, such as `deliveredStatus` before `sentStatus`. The one that claims more is later. */
function latestFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const [best, ...others] = candidates;
  if (best === undefined) return candidates;
  const rank = ({ column }: Candidate, index: number) => {
    const value = column.values[index];
    const guess = value === undefined ? undefined : guessStatus(String(value));
    return guess === undefined ? undefined : rankOf(guess.status);
  };
  const later = others.find((other) => {
    const pairs = best.column.values.flatMap((_, index) => {
      const [ofBest, ofOther] = [rank(best, index), rank(other, index)];
      return ofBest === undefined || ofOther === undefined ? [] : [ofOther > ofBest];
    });
    return other.score >= best.score - maxRivalGap && pairs.length > 0 && pairs.every(Boolean);
  });
  return later === undefined ? candidates : [later, ...candidates.filter((one) => one !== later)];
}

function sendCandidates(columns: readonly Column[]): Candidate[] {
  return rankColumns(columns, { names: roleNames.sendId, fits: isId }).filter(
    ({ score, column }) => score >= 70 && nameWeight(column.name, roleNames.eventId) < documentedWeight,
  );
}
