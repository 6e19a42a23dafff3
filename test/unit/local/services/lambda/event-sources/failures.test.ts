import { expect, it } from 'vitest';
import { failedMessages } from '../../../../../../local/services/lambda/event-sources/failures.ts';

const failing = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

it.each<[string, unknown, string[]]>([
  ['nothing', undefined, []],
  ['null for a list', { batchItemFailures: null }, []],
  ['a message of the batch', failing('b'), ['b']],
  ['an unknown message', failing('a', 'missing'), ['a', 'b']],
  ['an empty id', failing(''), ['a', 'b']],
  ['null for an id', failing(null), ['a', 'b']],
  ['another key', { batchItemFailures: [{ messageId: 'a' }] }, ['a', 'b']],
  ['text', 'done', ['a', 'b']],
])('the failed messages of an answer with %s', (_, result, failed) => {
  expect([...failedMessages(result, ['a', 'b'])]).toEqual(failed);
});
