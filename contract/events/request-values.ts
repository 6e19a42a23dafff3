import { isObject } from '../text/json.ts';

/** The parts of a request beside its body that decide how events are read. */
export interface RequestValues {
  /** The HTTP method, if the contract accepts two. */
  readonly method?: string | undefined;
  /** The query of the URL without its "?", if the contract reads it. A token in it is removed. */
  readonly query?: string | undefined;
  /** The path behind that of the webhook without its first "/", if the contract reads it: `m-17/delivered`. */
  readonly path?: string | undefined;
}

/** The properties that events get of what is beside the body. */
export interface BesideBody {
  /** An object like a form. */
  readonly requestQuery?: unknown;
  /** The segments of the path. */
  readonly requestPath?: readonly string[];
}

/** What a contract reads beside the body: everything for its expressions, and the part that is signed for ids of events. */
export interface BesideValues {
  readonly all: BesideBody;
  readonly signed: BesideBody;
}

/** The setting `webhook.reads` of the contract. */
interface Reads {
  readonly query?: 'signed' | 'unsigned';
  readonly path?: 'signed' | 'unsigned';
}

/**
 * Reads the values beside the body.
 *
 * @param readQuery parses a query; undefined if it is not text
 * @returns undefined if the query cannot be read
 */
export function besideValues(
  reads: Reads | undefined,
  { query = '', path = '' }: RequestValues,
  readQuery: (query: string) => unknown,
): BesideValues | undefined {
  if (reads === undefined) return { all: {}, signed: {} };
  const requestQuery = reads.query === undefined ? undefined : readQuery(query);
  if (reads.query !== undefined && requestQuery === undefined) return undefined;
  const ofQuery = { requestQuery };
  const ofPath = { requestPath: path === '' ? [] : path.split('/') };
  return {
    all: { ...(reads.query !== undefined && ofQuery), ...(reads.path !== undefined && ofPath) },
    signed: { ...(reads.query === 'signed' && ofQuery), ...(reads.path === 'signed' && ofPath) },
  };
}

/** Adds the values beside the body to an event that is an object. */
export function withBeside(content: unknown, values: BesideBody): unknown {
  return isObject(content) && Object.keys(values).length > 0 ? { ...content, ...values } : content;
}
