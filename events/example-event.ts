import type { Details, SmsEvent } from './details.ts';
import { type DetailType, eventSource } from './event-types.ts';
import { examples } from './examples.ts';

/**
 * Returns an event as EventBridge delivers it to a target, for the tests of a handler. Numbers, ids and times are fictitious, and the same in
 * every call.
 *
 * ```ts
 * await handler(exampleEvent('SMS Reply Received', { text: 'Yes', keyword: undefined }));
 * ```
 *
 * @param detail fields that replace those of the example; `undefined` removes an optional field
 * @throws Error for an unknown detail type
 */
export function exampleEvent<T extends DetailType>(
  detailType: T,
  detail: { readonly [K in keyof Details[T]]?: Details[T][K] | undefined } = {},
): SmsEvent<T> {
  if (!Object.hasOwn(examples, detailType))
    throw new Error(
      `There is no detail type "${detailType}". The detail types are: ${Object.keys(examples).join(', ')}.`,
    );
  // An event arrives as JSON: without undefined fields, and as an object of its own that the handler may change.
  const delivered: Details[T] = JSON.parse(JSON.stringify({ ...examples[detailType], ...detail }));
  return {
    version: '0',
    id: '7bf73129-1428-4cd3-a780-95db273d1602',
    'detail-type': detailType,
    source: eventSource,
    account: '123456789012',
    time: '2026-01-15T12:00:10Z',
    region: 'us-east-1',
    resources: [],
    detail: delivered,
  };
}
