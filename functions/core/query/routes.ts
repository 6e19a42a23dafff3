import type * as z from 'zod';
import {
  dayListQuery,
  listQuery,
  messageListQuery,
  messagePath,
  noQuery,
  phonePath,
  quarantinePath,
  quarantineQuery,
  sendPath,
  stateQuery,
} from './parameters.ts';

/** One question that can be asked over HTTP. */
export interface Route {
  /** Segments in braces are parameters. */
  readonly path: `/v1/${string}`;
  readonly summary: string;
  readonly parameters: z.ZodObject;
  readonly query: z.ZodObject;
}

const noParameters = noQuery;

/** All questions that can be asked over HTTP, by operation: what the function answers, its document and its client follow. */
export const routes = {
  getMessage: {
    path: '/v1/messages/{messageId}',
    summary: 'One message with its whole history',
    parameters: messagePath,
    query: noQuery,
  },
  listMessages: {
    path: '/v1/messages',
    summary: 'Messages that ended badly, or that have no final status yet',
    parameters: noParameters,
    query: stateQuery,
  },
  getTimeline: {
    path: '/v1/phones/{phone}/timeline',
    summary: 'Messages to a number and replies from it; with a status, messages only',
    parameters: phonePath,
    query: messageListQuery,
  },
  listSend: {
    path: '/v1/sends/{sendId}/messages',
    summary: 'The messages of a bulk send',
    parameters: sendPath,
    query: messageListQuery,
  },
  listReplies: {
    path: '/v1/replies',
    summary: 'Replies, by the time they were sent',
    parameters: noParameters,
    query: dayListQuery,
  },
  listOptOuts: {
    path: '/v1/opt-outs',
    summary: 'Numbers that want no more messages, by the time they said so',
    parameters: noParameters,
    query: listQuery,
  },
  listQuarantine: {
    path: '/v1/quarantine',
    summary: 'What was received and could not become history, without its content',
    parameters: noParameters,
    query: quarantineQuery,
  },
  getQuarantineEntry: {
    path: '/v1/quarantine/{entryId}',
    summary: 'One entry of the quarantine with what was received',
    parameters: quarantinePath,
    query: noQuery,
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof routes;

export const routeNames = Object.keys(routes).filter((name): name is RouteName =>
  Object.hasOwn(routes, name),
);
