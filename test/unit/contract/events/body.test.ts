import { expect, it } from 'vitest';
import { compileExpression, contractHash, fieldReader, parseBody } from '../../../../contract/events/body.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';

it.each([
  ['length(a)', { a: [1, 2] }, 2],
  ["not_null(x, join('-', y))", { y: ['p', 'q'] }, 'p-q'],
  ['sort_by(a, &b)[].b', { a: [{ b: 2 }, { b: 1 }] }, [1, 2]],
  ['map(&length(@), z)', { z: ['aa', 'b'] }, [2, 1]],
])('%s knows the functions of the standard, however often it is evaluated', (text, value, result) => {
  const expression = compileExpression(text);
  expect([expression(value), expression(value)]).toEqual([result, result]);
});

it.each(['nope(a)', 'powertools_nope(a)'])('%s is not a function', (text) => {
  expect(() => compileExpression(text)).toThrow(expect.objectContaining({ name: 'UnknownFunctionError' }));
});

it('how the service retries is no part of what identifies a contract', () => {
  const { webhook } = shippedContract;
  const retries = { hours: 24, describe: 'For a day.', source: 'https://service.example/' };
  const withRetries = { ...shippedContract, webhook: { ...webhook, retries } };
  expect(contractHash(withRetries)).toBe(contractHash(shippedContract));
  const withStatus = { ...shippedContract, webhook: { ...webhook, acknowledge: { status: 202 } } };
  expect(contractHash(withStatus)).not.toBe(contractHash(shippedContract));
});

it.each([
  ['a text', 'a text'],
  [7, '7'],
  [['one', null, 'two'], 'one\ntwo'],
  [[], undefined],
  [[null], undefined],
  [null, undefined],
])('the text of a reply is read from a text, or from the texts of a list: %j', (words, text) => {
  expect(fieldReader({ text: 'words' })({ words }).text('text')).toBe(text);
});

it('the names of a form are ASCII, also if its values are UTF-16', () => {
  const body = Buffer.from('from=%00%2B%001%002&text=%00S%00T%00O%00P');
  expect(parseBody({ bodyFormat: 'form', charset: 'utf-16be' }, body)).toEqual({
    kind: 'parsed',
    value: { from: '+12', text: 'STOP' },
  });
});
