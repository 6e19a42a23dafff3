import { expect, it } from 'vitest';
import { alarmRules } from '../../../tools/bench/burst/burst-alarms.ts';
import { resource, templatesFor } from '../support/built-app.ts';

it.each([
  ['EventsQueueBehind', alarmRules.behind, 1],
  ['EventsMessagesFailing', alarmRules.failing, 1000],
])('the burst model has the alarm %s as the stack defines it', (id, rule, unitsPerSecond) => {
  const alarm = resource(templatesFor().pipeline, 'AWS::CloudWatch::Alarm', id);
  expect(alarm.Properties).toMatchObject({
    Statistic: 'Maximum',
    Threshold: rule.threshold * unitsPerSecond,
    Period: rule.periodSeconds,
    EvaluationPeriods: rule.periods,
    DatapointsToAlarm: rule.periods,
  });
});
