import type * as z from 'zod';
import {
  conversationPath,
  insightsQuery,
  messageListQuery,
  messagePath,
  noQuery,
  optOutListQuery,
  phonePath,
  quarantinePath,
  quarantineQuery,
  replyListQuery,
  searchBody,
  sendListQuery,
  sendMessagesQuery,
  sendPath,
  stateQuery,
} from './parameters.ts';

/** One query of the HTTP API. */
export interface Route {
  /** Segments in braces are parameters. */
  readonly path: `/v1/${string}`;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  readonly query: z.ZodObject;
  /** The JSON of the body, for a query by POST: a number does not belong into a URL. */
  readonly body?: z.ZodObject;
  /** Whether the answer is CSV in place of JSON. */
  readonly isCsv?: true;
}

const noParameters = noQuery;

/** All queries of the HTTP API, by operation. The function, the API's document and its client follow them. */
export const routes = {
  getMessage: {
    path: '/v1/messages/{messageId}',
    summary: 'One message with its whole history',
    parameters: messagePath,
    query: noQuery,
  },
  listMessages: {
    path: '/v1/messages',
    summary: 'Messages that failed, or that have no final status yet',
    parameters: noParameters,
    query: stateQuery,
  },
  getTimeline: {
    path: '/v1/phones/{phone}/timeline',
    summary: 'Messages to a number and replies from it; with a status, messages only',
    parameters: phonePath,
    query: messageListQuery,
  },
  search: {
    path: '/v1/search',
    summary: 'What has exactly this number or id',
    parameters: noParameters,
    query: noQuery,
    body: searchBody,
  },
  getConversation: {
    path: '/v1/conversations/{of}',
    summary: 'The number of a message or reply: its opt-out, the messages to it and the replies from it',
    parameters: conversationPath,
    query: messageListQuery,
  },
  listSend: {
    path: '/v1/sends/{sendId}/messages',
    summary: 'The messages of a bulk send',
    parameters: sendPath,
    query: sendMessagesQuery,
  },
  listSendCsv: {
    path: '/v1/sends/{sendId}/messages.csv',
    summary: 'The messages of a bulk send as CSV; with a status, those that failed for example',
    parameters: sendPath,
    query: sendMessagesQuery,
    isCsv: true,
  },
  listSends: {
    path: '/v1/sends',
    summary: 'How bulk sends are doing, by the time of their first reports',
    parameters: noParameters,
    query: sendListQuery,
  },
  getSend: {
    path: '/v1/sends/{sendId}',
    summary: 'How the messages of a bulk send are doing',
    parameters: sendPath,
    query: noQuery,
  },
  getInsights: {
    path: '/v1/insights',
    summary: 'How many messages were delivered in each hour or day, how fast, and what failed',
    parameters: noParameters,
    query: insightsQuery,
  },
  listReplies: {
    path: '/v1/replies',
    summary: 'Replies, by the time they were sent',
    parameters: noParameters,
    query: replyListQuery,
  },
  listOptOuts: {
    path: '/v1/opt-outs',
    summary: 'Numbers that want no more messages, by the time of their opt-out',
    parameters: noParameters,
    query: optOutListQuery,
  },
  listQuarantine: {
    path: '/v1/quarantine',
    summary: 'Received requests and events that could not be stored in the history, without their content',
    parameters: noParameters,
    query: quarantineQuery,
  },
  getQuarantineEntry: {
    path: '/v1/quarantine/{entryId}',
    summary: 'One entry of the quarantine with the received bytes',
    parameters: quarantinePath,
    query: noQuery,
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof routes;

export const routeNames = Object.keys(routes).filter((name): name is RouteName =>
  Object.hasOwn(routes, name),
);

/** Returns the methods that a query is answered for. */
export function methodsOf(name: RouteName): readonly string[] {
  return 'body' in routes[name] ? ['POST'] : ['GET', 'HEAD'];
}

/** Thrown for a path whose percent-encoding cannot be read. */
export class PathEncodingError extends Error {
  override readonly name = 'PathEncodingError';

  constructor() {
    super(
      'the percent-encoding of the path cannot be read: a "%" in an id is percent-encoded twice, as %2525',
    );
  }
}

export interface RouteMatch {
  readonly name: RouteName;
  /** Decoded, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

const patterns = routeNames.map((name) => ({
  name,
  pattern: new RegExp(`^${routes[name].path.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`, 's'),
}));

/**
 * Finds the query of a path.
 *
 * API Gateway's HTTP APIs decode the path before a function sees it, and also `rawPath`. So a "/" of an id looks like one between segments,
 * and a parameter matches as many as it can. The remaining encoding is decoded here.
 *
 * @param rawPath as the event has it
 * @returns undefined for an unknown path
 * @throws PathEncodingError
 */
export function matchRoute(rawPath: string): RouteMatch | undefined {
  for (const { name, pattern } of patterns) {
    const match = pattern.exec(rawPath);
    if (match === null) continue;
    const parameters = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decode(value)]);
    return { name, parameters: Object.fromEntries(parameters) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PathEncodingError();
  }
}
