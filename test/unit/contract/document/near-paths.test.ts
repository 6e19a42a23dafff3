import { expect, it } from 'vitest';
import { firstPaths, nearestNames, nearPaths } from '../../../../contract/document/nearest-names.ts';

it.each([
  ['status', ['state', 'message', 'date'], ['state']],
  ['messageId', ['message_id', 'MessageID', 'messages'], ['message_id', 'MessageID', 'messages']],
  ['message_id', ['id', 'side', 'widget'], ['id']],
  ['id', ['message-id', 'middle'], ['message-id']],
  ['recipient', ['to', 'from'], []],
  ['x', [], []],
  ['---', ['', '-'], []],
])('finds what %s was meant to be', (name, candidates, expected) => {
  expect(nearestNames(name, candidates)).toEqual(expected);
});

it('takes little time for names that are no names', () => {
  const long = 'a'.repeat(1_000_000);
  expect(nearestNames(long, [long])).toEqual([long]);
});

const event = {
  kind: 'DLR',
  report: { state: 'sent', 'error-code': 7, to: [{ number: '1' }, { other: 2 }], empty: [], none: null },
};

it.each([
  ['report.status', ['report.state']],
  ['report.error_code', ['report."error-code"']],
  ['to.phone_number', ['report.to[0].number']],
  // Every name of it is there, elsewhere.
  ['state', ['report.state']],
  ['report.kind', ['kind']],
  ['report.none', []],
  ["report.stat == 'type' && `kind` || to_string(report.x)", ['report.state']],
  ['message', []],
])('finds what %s may have meant', (expression, paths) => {
  expect(nearPaths(expression, event)).toEqual(paths);
});

it('names what there is', () => {
  expect(firstPaths(event)).toEqual([
    'kind',
    'report.state',
    'report."error-code"',
    'report.none',
    'report.to[0].number',
  ]);
  expect(firstPaths('text')).toEqual([]);
});
