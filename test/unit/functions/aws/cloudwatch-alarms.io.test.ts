import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { expect, it, onTestFinished } from 'vitest';
import { readRingingAlarms } from '../../../../functions/aws/cloudwatch-alarms.ts';
import { answer, startScriptedServer } from '../sms-service/scripted-server.ts';

it('reads every page of the alarms of a stack that are on, composite ones first', async () => {
  const since = Date.parse('2026-01-15T12:00:00.000Z') / 1000;
  const server = await startScriptedServer(
    {
      'POST /': [
        answer(200, {
          CompositeAlarms: [{ AlarmName: 'Sms-Pipeline-EventsNotStored', AlarmDescription: 'Events wait.' }],
          MetricAlarms: [{ AlarmName: 'Sms-Pipeline-QueueBehind', StateTransitionedTimestamp: since }],
          NextToken: 'more',
        }),
        answer(200, { MetricAlarms: [{ AlarmName: 'Sms-Pipeline-WorkerErrors' }] }),
      ],
    },
    () => undefined,
  );
  onTestFinished(() => server.close());
  const client = new CloudWatchClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });

  expect(await readRingingAlarms(client, ['Sms-Pipeline'])).toEqual([
    { name: 'Sms-Pipeline-EventsNotStored', since: null, description: 'Events wait.' },
    { name: 'Sms-Pipeline-QueueBehind', since: '2026-01-15T12:00:00.000Z', description: null },
    { name: 'Sms-Pipeline-WorkerErrors', since: null, description: null },
  ]);
  const asked = {
    AlarmNamePrefix: 'Sms-Pipeline-',
    AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    StateValue: 'ALARM',
  };
  expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
    asked,
    { ...asked, NextToken: 'more' },
  ]);
});
