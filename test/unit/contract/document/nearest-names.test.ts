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
])('nearestNames suggests names for %s', (name, candidates, expected) => {
  expect(nearestNames(name, candidates)).toEqual(expected);
});

it('nearestNames takes little time for very long names', () => {
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
  // The body has every name of the expression, at another place.
  ['state', ['report.state']],
  ['report.kind', ['kind']],
  ['report.none', []],
  ["report.stat == 'type' && `kind` || to_string(report.x)", ['report.state']],
  ['message', []],
])('nearPaths suggests paths for %s', (expression, paths) => {
  expect(nearPaths(expression, event)).toEqual(paths);
});

it('firstPaths lists the first paths of an event', () => {
  expect(firstPaths(event)).toEqual([
    'kind',
    'report.state',
    'report."error-code"',
    'report.none',
    'report.to[0].number',
  ]);
  expect(firstPaths('text')).toEqual([]);
});
