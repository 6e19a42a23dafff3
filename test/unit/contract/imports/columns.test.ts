import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../../contract/events/body.ts';
import { columnsOf } from '../../../../contract/imports/columns.ts';

const fields = {
  messageId: 'id',
  status: 'state',
  occurredAt: 'at',
  recipient: null,
  sendId: null,
  errorCode: null,
  errorText: null,
  price: null,
  currency: null,
  segments: null,
  network: null,
  carrier: null,
  final: null,
  parentMessageId: null,
  channel: null,
};

describe('the columns of an expression', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['to', [['to']]],
    ['"Message ID"', [['Message ID']]],
    [String.raw`"Empf\u00e4nger \"x\""`, [['Empfänger "x"']]],
    [`"Client's ref" != 'x' && "Client's ref" || \`null\``, [["Client's ref"]]],
    ['a || b', [['a'], ['b']]],
    ['(a || b)', [['a'], ['b']]],
    ['a && b || c', [['a', 'b'], ['c']]],
    ["code != '0' && code || `null`", [['code']]],
    ["join('', [a, b])", [['a', 'b']]],
    ['not_null(a, b)', [['a'], ['b']]],
    ['@.a', [['a']]],
    ['a.b', [['a']]],
    ['a[0].b', [['a']]],
    ["{ x: a, y: b } | join('', values(@))", [['a', 'b']]],
    ['a | b', [['a']]],
    ["'EUR'", []],
    ['"EUR"', [['EUR']]],
  ])('%s', (expression, expected) => {
    expect(() => compileExpression(expression)).not.toThrow();
    expect(columnsOf({ only: null, replies: null, report: { ...fields, sendId: expression } })[3]).toEqual({
      field: 'report.sendId',
      expression,
      alternatives: expected,
    });
  });

  it('are listed with their place, in the order of the mapping', () => {
    const replies = { only: 'a', replyId: null, messageId: null, from: 'b', to: null, text: 'c' };
    const others = { occurredAt: 'd', media: null, channel: null, optOut: null };
    const mapping = { only: "kind != 'in'", report: fields, replies: { ...replies, ...others } };
    expect(columnsOf(mapping).map(({ field }) => field)).toEqual([
      'only',
      'report.messageId',
      'report.status',
      'report.occurredAt',
      'replies.only',
      'replies.from',
      'replies.text',
      'replies.occurredAt',
    ]);
  });
});
