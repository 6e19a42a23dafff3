import { expect, it } from 'vitest';
import { renderRows } from '../../../../../tools/drills/alarms/table.ts';

const alarm = {
  id: 'QueueBehind',
  metric: 'Age',
  series: 'AWS/SQS/Age/QueueName=q',
  statistic: 'Maximum',
  threshold: 300,
  periodSeconds: 60,
  page: 'A page',
} as const;
const row = { alarm, how: 'waited', value: 301, steps: ['look', 'fix'], failure: undefined };

it('shows a line for each alarm, and one story for those that went off together', () => {
  const text = renderRows([row, { ...row, alarm: { ...alarm, id: 'Errors' } }]);
  expect(text).toMatch(/^QueueBehind +Age +301 +300 +A page +ok$/m);
  expect(text).toMatch(/^Errors +Age +301 +300 +A page +ok$/m);
  expect(text.match(/how: waited/g)).toHaveLength(1);
  expect(text).toContain('QueueBehind, Errors\n  how: waited\n  1. look\n  2. fix');
});

it('never passes off an alarm that failed', () => {
  const text = renderRows([{ ...row, value: undefined, failure: 'it stayed quiet' }]);
  expect(text).toMatch(/^QueueBehind +Age +no data +300 +A page +FAILED$/m);
  expect(text).toContain('FAILED: it stayed quiet');
});
