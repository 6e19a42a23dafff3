import { isObject } from '../events/body.ts';
import { columnsOf, isId, isPhone } from './captured/columns.ts';
import { pathOf, roleNames, type Steps } from './captured/field-names.ts';
import { rankColumns } from './proposal.ts';
import { guessStatus } from './words.ts';

/** One event, and where it is in its body: all keys and positions on the way. */
export interface FoundEvent {
  readonly value: unknown;
  /** Position of its body among those that were searched. */
  readonly body: number;
  readonly at: Steps;
}

export interface EventList {
  /** JMESPath from the body to the list of events. */
  readonly expression: string;
  readonly events: readonly FoundEvent[];
  /** Whether a body holds its events in more than one place, or no list was seen where one could be. */
  readonly isCertain: boolean;
}

/** A list of objects in a body: keys on the way to it, and `each` where a list is gone through. */
type ListPath = readonly (string | typeof each)[];
const each = Symbol('each element');

/**
 * Finds where in bodies the events are: the body itself, or the elements of lists in it that are events of their own.
 *
 * @param bodies as they were parsed
 */
export function findEventList(bodies: readonly unknown[]): EventList {
  const paths = listPathsOf(bodies);
  const rootIsList = bodies.some(Array.isArray);
  const lists = paths.filter((path) => path.length > 0 && holdsEvents(bodies, path));
  const innermost = lists.filter(
    (path) =>
      !lists.some((other) => other.length > path.length && path.every((step, i) => other[i] === step)),
  );
  const chosen = innermost.filter((path) => textOf(path) !== '[@][]');
  const found = bodies.map((body, index) => chosen.flatMap((path) => eventsAt(body, path, index)));
  const alone = bodies.map((body, index) => ((found[index]?.length ?? 0) > 0 ? [] : rootEvents(body, index)));
  const hasRoots = alone.some((events) => events.length > 0);
  const texts = chosen.map(textOf);
  const list = texts.length > 1 ? `[${texts.join(', ')}][]` : texts[0];
  const root = rootIsList ? '[@][]' : '[@]';
  const expression = list === undefined ? root : hasRoots ? `${list} || ${root}` : list;
  return {
    expression,
    events: bodies.flatMap((_, index) => [...(found[index] ?? []), ...(alone[index] ?? [])]),
    isCertain: texts.length <= 1 && !(list !== undefined && hasRoots),
  };
}

function rootEvents(body: unknown, index: number): FoundEvent[] {
  if (Array.isArray(body)) return body.map((value: unknown, at) => ({ value, body: index, at: [at] }));
  return isObject(body) ? [{ value: body, body: index, at: [] }] : [];
}

/** An element is an event of its own if it has an id, and says what became of it or what somebody wrote. */
function holdsEvents(bodies: readonly unknown[], path: ListPath): boolean {
  const elements = bodies.flatMap((body) => eventsAt(body, path, 0)).map(({ value }) => value);
  if (!isEvent(elements)) return false;
  // What stands around a list may be an event itself, whose earlier statuses the list tells.
  const around = bodies.filter((body) => eventsAt(body, path, 0).length > 0).map(withoutLists);
  return !(isEvent(around) && hasNumber(around));
}

function isEvent(values: readonly unknown[]): boolean {
  const columns = columnsOf(values).filter(({ path }) => !path.includes('['));
  const has = (names: ReadonlyMap<string, number>, fits: (text: string) => boolean, least: number) =>
    rankColumns(columns, { names, fits: (value) => fits(String(value)) }).some(({ score }) => score >= least);
  const hasId = [roleNames.messageId, roleNames.replyId].some((names) =>
    has(names, (text) => isId(text), 60),
  );
  const isReport =
    has(roleNames.status, (text) => guessStatus(text)?.isWhole === true, 60) ||
    has(roleNames.status, () => true, 90);
  const isReply = has(roleNames.text, () => true, 85) && hasNumber(values);
  return hasId && (isReport || isReply);
}

function hasNumber(values: readonly unknown[]): boolean {
  const columns = columnsOf(values);
  return [roleNames.recipient, roleNames.from].some(
    (names) => rankColumns(columns, { names, fits: isPhone }).length > 0,
  );
}

function withoutLists(value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) =>
          Array.isArray(inner) ? [] : [[key, withoutLists(inner)]],
        ),
      )
    : value;
}

function listPathsOf(bodies: readonly unknown[]): ListPath[] {
  const found = new Map<string, ListPath>();
  const walk = (value: unknown, path: ListPath): void => {
    if (path.length > 12) return;
    if (Array.isArray(value)) {
      if (!value.some(isObject)) return;
      const inside: ListPath = [...path, each];
      found.set(textOf(inside), inside);
      for (const element of value.slice(0, 20)) walk(element, inside);
    } else if (isObject(value)) for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
  };
  for (const body of bodies) walk(body, []);
  return [...found.values()];
}

function eventsAt(value: unknown, path: ListPath, body: number, at: Steps = []): FoundEvent[] {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(value) ? [{ value, body, at }] : [];
  if (step !== each) return isObject(value) ? eventsAt(value[step], rest, body, [...at, step]) : [];
  return Array.isArray(value)
    ? value.flatMap((element: unknown, index) => eventsAt(element, rest, body, [...at, index]))
    : [];
}

/** A list goes on in `[]`, which takes the elements as they are: one that ended in a field would lose those without it. */
function textOf(path: ListPath): string {
  if (path.length === 1 && path[0] === each) return '[@][]';
  return path
    .map((step, index) => (step === each ? '[]' : `${index === 0 ? '' : '.'}${pathOf([step])}`))
    .join('');
}
