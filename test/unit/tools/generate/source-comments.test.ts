import { expect, it } from 'vitest';
import { documentedProperties } from '../../../../tools/generate/source-comments.ts';

it('reads the comment, the page and the type of each property of an interface', () => {
  const [, topic, page] = documentedProperties('lib/props/alarms.ts').get('AlarmsProps') ?? [];
  expect(topic).toEqual({
    name: 'topic',
    text: 'This topic is notified of tickets and of their end. Tickets have time until the morning.',
    see: 'docs/start/deploy.md#the-alarm-topic',
    preset: '- no one, with a warning at synth',
    type: 'ITopic',
  });
  expect(page?.text).toMatch(/^This topic is notified of pages .* checked\.$/);
  expect(page?.preset).toBe('- the topic of tickets');
});

it('reads the comments of a constant object, without the line comments between them', () => {
  const metrics = documentedProperties('functions/base/metrics.ts').get('metricNames') ?? [];
  expect(metrics.find(({ name }) => name === 'accepted')).toEqual({
    name: 'accepted',
    text: 'worker: requests that were verified, parked ones once they are, and again those that were redriven; not the test events of `sms doctor`.',
    see: undefined,
    preset: undefined,
    type: '',
  });
});
