import type { Contract } from '../../functions/core/contract/contract.ts';
import type { Kind } from './classify-event.ts';
import { pathOf, type Steps } from './field-name.ts';
import { createInvent, type Meaning } from './invent.ts';
import { isObject, isScalar, type Scalar, timeFormatOf } from './scalar.ts';
import { isVocabulary } from './vocabulary.ts';

/** The event of a body, and how many steps lead to it. */
interface EventIn {
  readonly kind: Kind;
  readonly depth: number;
}

/**
 * A body with every value invented, but for words that the contract lists or tells kinds apart by.
 *
 * @param body with one event
 * @returns undefined where a key, or a word that would have to stay, may say something of somebody
 */
export function anonymise(body: unknown, { kind, depth }: EventIn, contract: Contract): unknown {
  const meanings = meaningsOf(contract, kind);
  const leaves: { value: Scalar; meaning: Meaning }[] = [];
  const meaningAt = (value: Scalar, steps: Steps): Meaning => {
    const path = pathOf(steps.slice(depth).map((step) => (typeof step === 'number' ? 0 : step)));
    const meaning = meanings.get(path);
    // Where the presence of a field tells the kind, what it says does not matter.
    return meaning === 'word' && !isWordOf(contract, path, value) ? undefined : meaning;
  };
  walk(body, (value, steps) => {
    leaves.push({ value, meaning: meaningAt(value, steps) });
    return value;
  });
  const stays = leaves.filter(({ meaning }) => meaning === 'word').map(({ value }) => value);
  if (keysOf(body).some((key) => !isVocabulary(key)) || !stays.every((value) => isVocabulary(String(value))))
    return undefined;
  const isTime = ({ value, meaning }: { value: Scalar; meaning: Meaning }) =>
    (meaning === undefined || meaning === 'time') && timeFormatOf(value) !== undefined;
  const invent = createInvent(
    contract.events.defaultCountry,
    leaves.filter(isTime).map(({ value }) => value),
  );
  // What the mapping knows goes first, so that elsewhere the same value becomes the same.
  for (const { value, meaning } of leaves) if (meaning !== undefined) invent(value, meaning);
  return walk(body, (value, steps) => invent(value, meaningAt(value, steps)));
}

/** Whether a value is no more than a word: a status that the contract lists, an error's code, or what kinds are told apart by. */
function isWordOf({ events: { kind, status }, statuses }: Contract, path: string, value: Scalar): boolean {
  const text = String(value);
  if (pathsIn(status.status).includes(path) && (Object.hasOwn(statuses, text) || /^\d{1,4}$/.test(text)))
    return true;
  if (status.errorCode !== null && pathsIn(status.errorCode).includes(path)) return /^\S{1,40}$/.test(text);
  return kind.includes(`'${text}'`) || kind.includes(`\`${JSON.stringify(value)}\``) || kind === path;
}

function meaningsOf({ events }: Contract, kind: Kind): ReadonlyMap<string, Meaning> {
  const { status, reply, id } = events;
  const fields: readonly (readonly [string | null, Meaning])[] =
    kind === 'sms.status'
      ? [
          [status.errorText, 'text'],
          [status.messageId, 'id'],
          [status.sendId, 'id'],
          [status.recipient, 'person'],
          [status.occurredAt, 'time'],
          [status.errorCode, 'word'],
          [status.status, 'word'],
        ]
      : [
          [reply.replyId, 'id'],
          [reply.messageId, 'id'],
          [reply.from, 'person'],
          [reply.to, 'us'],
          [reply.occurredAt, 'time'],
          [reply.text, 'text'],
        ];
  const all = [
    [events.kind, 'word'] as const,
    [id.from === 'body' ? id.path : null, 'id'] as const,
    ...fields,
  ];
  return new Map(
    all.flatMap(([text, meaning]) => pathsIn(text ?? '').map((path) => [path, meaning] as const)),
  );
}

const literals = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\w+\(/g;
const plainPath = /(?:"(?:[^"\\]|\\.)+"|[A-Za-z_]\w*)(?:\.(?:"(?:[^"\\]|\\.)+"|\w+)|\[\d+\])*/g;

/** The plain paths in an expression. */
function pathsIn(expression: string): string[] {
  return expression.replace(literals, ' ').match(plainPath) ?? [];
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]) : [];
}

/** A copy with every value replaced. */
function walk(value: unknown, replace: (value: Scalar, steps: Steps) => Scalar, steps: Steps = []): unknown {
  if (isScalar(value)) return replace(value, steps);
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => walk(inner, replace, [...steps, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, walk(inner, replace, [...steps, key])]),
  );
}
