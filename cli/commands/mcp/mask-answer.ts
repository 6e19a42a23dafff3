import { maskRecipient, numbersMasker } from '../../../contract/phone/mask.ts';
import { e164 } from '../../../contract/phone/phone-key.ts';
import { masked, numbersIn } from '../../../functions/query/index.ts';
import { sanitize } from '../../text/sanitize.ts';

/**
 * Cleans every text of an answer as for people: without what is invisible, and in one line. A reply could hide orders to the model in tags or
 * variation selectors, and so could a word of the provider, an id, or what a check of the health found.
 */
export function cleanAnswer(answer: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [sanitize(name), clean(value)]));
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === 'object' && value !== null ? cleanAnswer(value) : value;
}

/** Twenty replies of 65,536 characters would fill the memory of a model. */
const maxAnswer = 200_000;

/** How long a text and a list in an entry may be. An answer gets the first of these with which it is short enough. */
const cuts = [
  { maxText: 5000, maxList: Number.POSITIVE_INFINITY },
  { maxText: 500, maxList: Number.POSITIVE_INFINITY },
  { maxText: 500, maxList: 10 },
  { maxText: 50, maxList: 10 },
  { maxText: 50, maxList: 1 },
];

/** The model asks on with ids and positions, which are short. A list of entries goes on with its position. */
const neverCut = /^(?:messageId|replyId|sendId|historyId|partId|eventId|entryId|of|id|next|cursor|entries)$/;

/**
 * Cuts every text of an answer after its 5,000th character, or earlier if the answer is still too long, and then lists in its entries too. An
 * answer is masked before, so that no number is cut and then not found.
 */
export function cutAnswer<T extends object>(answer: T): T {
  let json = '';
  for (const { maxText, maxList } of cuts) {
    json = JSON.stringify(answer, (name, value) => {
      if (neverCut.test(name)) return value;
      return Array.isArray(value) ? cutList(value, maxList) : cutText(value, maxText);
    });
    if (json.length <= maxAnswer) break;
  }
  return JSON.parse(json);
}

function cutText(value: unknown, maxText: number): unknown {
  return typeof value === 'string' && value.length > maxText
    ? `${value.slice(0, maxText).toWellFormed()}… (of ${value.length} characters)`
    : value;
}

function cutList(list: readonly unknown[], maxList: number): readonly unknown[] {
  return list.length > maxList ? [...list.slice(0, maxList), `… (of ${list.length})`] : list;
}

/** Ids of the service. Those of sends are names that people choose, such as Spring/20260115. */
const withRecipient: ReadonlySet<string> = new Set(['messageId', 'replyId', 'historyId', 'id']);

/**
 * Masks an answer for a language model. Beyond what the console masks for viewers, this masks each number of the answer wherever it
 * occurs again, each number with a "+" in any text, and one behind the id of the service: an id may be made of a number, and leaves the account with the answer.
 */
export function maskAnswer<T extends object>(answer: T): T {
  const numbers = new Set(numbersIn('', answer));
  const addNumber = (_: string, value: unknown) => {
    if (typeof value === 'string' && e164.test(value)) numbers.add(value);
    return value;
  };
  JSON.stringify(answer, addNumber);
  const maskNumbers = numbersMasker([...numbers]);
  const maskTexts = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return maskNumbers(withRecipient.has(name) ? maskRecipient(value) : value);
  };
  return JSON.parse(JSON.stringify(masked(answer), maskTexts));
}
