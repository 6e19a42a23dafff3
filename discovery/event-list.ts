import { type Place, pathOf } from '../contract/events/places.ts';
import { isObject } from '../contract/text/json.ts';
import { columnsOf, isId, isPhone } from './captured/columns.ts';
import { roleNames } from './captured/field-names.ts';
import { rankColumns } from './proposal.ts';
import { guessStatus } from './words.ts';

/** One event, and its place in its body. */
export interface FoundEvent {
  readonly value: unknown;
  /** The position of its body in the list of bodies. */
  readonly body: number;
  readonly place: Place;
}

export interface EventList {
  /** JMESPath from the body to the list of events. */
  readonly expression: string;
  readonly events: readonly FoundEvent[];
  /** Whether all events are in one place. */
  readonly isCertain: boolean;
  /** Whether the bodies have more lists or events than are searched. */
  readonly hasMore: boolean;
}

/** So many lists and events show a mapping. A capture keeps what strangers send, so further ones are not searched. */
const maxLists = 50;
const maxEvents = 2000;
const maxEventsOfBody = 200;

/** The way to a list of objects in a body: keys, and `each` for every element of a list. */
type ListPath = readonly (string | typeof each)[];
const each = Symbol('each element');

/**
 * Finds the events in bodies: the body itself, or the elements of lists in it.
 *
 * @param bodies the parsed bodies
 */
export function findEventList(bodies: readonly unknown[]): EventList {
  const allPaths = listPathsOf(bodies);
  const paths = firstOfEach(allPaths);
  const rootIsList = bodies.some(Array.isArray);
  const lists = paths.filter((path) => path.length > 0 && holdsEvents(bodies, path));
  const innermost = lists.filter(
    (path) =>
      !lists.some((other) => other.length > path.length && path.every((step, i) => other[i] === step)),
  );
  const chosen = innermost.filter((path) => textOf(path) !== '[@][]');
  const inLists = bodies.map((body, index) => chosen.flatMap((path) => eventsAt(body, path, index)));
  const atRoot = bodies.map((body, index) =>
    (inLists[index]?.length ?? 0) > 0 ? [] : rootEvents(body, index),
  );
  const hasRoots = atRoot.some((events) => events.length > 0);
  const all = bodies.map((_, index) => [...(inLists[index] ?? []), ...(atRoot[index] ?? [])]);
  const events = someOfEach(all);
  const texts = chosen.map(textOf);
  const list = texts.length > 1 ? `[${texts.join(', ')}][]` : texts[0];
  const root = rootIsList ? '[@][]' : '[@]';
  const expression = list === undefined ? root : hasRoots ? `${list} || ${root}` : list;
  return {
    expression,
    events,
    isCertain: texts.length <= 1 && !(list !== undefined && hasRoots),
    hasMore: allPaths.size > maxLists || events.length < all.flat().length,
  };
}

/** Returns the first events of each body: so many of each that a body of thousands takes no place of another one. */
function someOfEach(ofBodies: readonly (readonly FoundEvent[])[]): FoundEvent[] {
  const first = (count: number) => ofBodies.flatMap((events) => events.slice(0, count));
  let ofBody = maxEventsOfBody;
  while (ofBody > 1 && first(ofBody).length > maxEvents) ofBody = Math.ceil(ofBody / 2);
  return first(ofBody);
}

function rootEvents(body: unknown, index: number): FoundEvent[] {
  if (Array.isArray(body))
    return body.map((value: unknown, position) => ({ value, body: index, place: [position] }));
  return isObject(body) ? [{ value: body, body: index, place: [] }] : [];
}

/** Reports whether the elements of a list are events: they have an id and a status, or a number and a text. */
function holdsEvents(bodies: readonly unknown[], path: ListPath): boolean {
  const elements = someOfEach(bodies.map((body) => eventsAt(body, path, 0))).map(({ value }) => value);
  if (!isEvent(elements)) return false;
  // The object around a list may be the event itself, and the list its earlier statuses.
  const around = bodies.filter((body) => eventsAt(body, path, 0).length > 0).map(withoutLists);
  return !(isEvent(around) && hasNumber(around));
}

function isEvent(values: readonly unknown[]): boolean {
  const columns = columnsOf(values).filter(({ path }) => !path.includes('['));
  const has = (names: ReadonlyMap<string, number>, fits: (text: string) => boolean, minScore: number) =>
    rankColumns(columns, { names, fits: (value) => fits(String(value)) }).some(
      ({ score }) => score >= minScore,
    );
  const hasId = [roleNames.messageId, roleNames.replyId].some((names) =>
    has(names, (text) => isId(text), 55),
  );
  const isReport =
    has(roleNames.status, (text) => guessStatus(text)?.isWhole === true, 50) ||
    has(roleNames.status, () => true, 90);
  const isReply = has(roleNames.text, () => true, 85) && hasNumber(values);
  return isReply || (hasId && isReport);
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

interface FoundList {
  readonly path: ListPath;
  /** The bodies that have it. */
  readonly in: Set<unknown>;
  /** How many lists a body has before it, where it has the fewest. */
  rank: number;
}

/** Returns the ways to lists of objects. */
function listPathsOf(bodies: readonly unknown[]): Map<string, FoundList> {
  const lists = new Map<string, FoundList>();
  let ofBody = 0;
  const walk = (value: unknown, path: ListPath, body: unknown): void => {
    if (path.length > 12) return;
    if (Array.isArray(value)) {
      if (!value.some(isObject)) return;
      const inside: ListPath = [...path, each];
      const list = lists.get(textOf(inside)) ?? { path: inside, in: new Set(), rank: ofBody };
      if (!list.in.has(body)) {
        list.in.add(body);
        list.rank = Math.min(list.rank, ofBody++);
      }
      lists.set(textOf(inside), list);
      for (const element of value.slice(0, 20)) walk(element, inside, body);
    } else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key], body);
  };
  for (const body of bodies) {
    ofBody = 0;
    walk(body, [], body);
  }
  return lists;
}

/** Of too many ways, the first ones of each body, and of these those that are in most bodies: a body with many takes no place of another one. */
function firstOfEach(lists: ReadonlyMap<string, FoundList>): ListPath[] {
  const all = [...lists.values()];
  const some =
    all.length > maxLists
      ? all.sort((a, b) => a.rank - b.rank || b.in.size - a.in.size).slice(0, maxLists)
      : all;
  return some.map(({ path }) => path);
}

function eventsAt(value: unknown, path: ListPath, body: number, place: Place = []): FoundEvent[] {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(value) ? [{ value, body, place }] : [];
  if (step !== each) return isObject(value) ? eventsAt(value[step], rest, body, [...place, step]) : [];
  return Array.isArray(value)
    ? value.flatMap((element: unknown, index) => eventsAt(element, rest, body, [...place, index]))
    : [];
}

/** Writes the way to a list as JMESPath. It ends in `[]`, which keeps all elements; a field at the end would drop those without it. */
function textOf(path: ListPath): string {
  if (path.length === 1 && path[0] === each) return '[@][]';
  return path
    .map((step, index) => (step === each ? '[]' : `${index === 0 ? '' : '.'}${pathOf([step])}`))
    .join('');
}
