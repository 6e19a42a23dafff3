import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { expect, it, onTestFinished } from 'vitest';
import { readRingingAlarms } from '../../../../functions/base/alarms-client.ts';
import { answer, startScriptedServer } from './sms-service/scripted-server.ts';

it('reads every page of the alarms of a stack that are on, composite ones first, and none of another stack', async () => {
  const since = Date.parse('2026-01-15T12:00:00.000Z') / 1000;
  const server = await startScriptedServer(
    {
      'POST /': [
        answer(200, {
          CompositeAlarms: [
            {
              AlarmName: 'Sms-Pipeline-EventsNotStoredAlarm7C1F-1B2C3D4E5F6G',
              AlarmDescription: 'Events wait.',
            },
          ],
          MetricAlarms: [
            {
              AlarmName: 'Sms-Pipeline-QueueBehindAlarm7C1F-1B2C3D4E5F6G',
              StateTransitionedTimestamp: since,
            },
            { AlarmName: 'Sms-Pipeline-Test-QueueBehindAlarm7C1F-1B2C3D4E5F6G' },
          ],
          NextToken: 'more',
        }),
        answer(200, { MetricAlarms: [{ AlarmName: 'Sms-Pipeline-WorkerErrorsAlarm7C1F-1B2C3D4E5F6G' }] }),
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

  expect(await readRingingAlarms(client, 'Sms-Pipeline')).toEqual([
    { name: 'Sms-Pipeline-EventsNotStoredAlarm7C1F-1B2C3D4E5F6G', since: null, description: 'Events wait.' },
    {
      name: 'Sms-Pipeline-QueueBehindAlarm7C1F-1B2C3D4E5F6G',
      since: '2026-01-15T12:00:00.000Z',
      description: null,
    },
    { name: 'Sms-Pipeline-WorkerErrorsAlarm7C1F-1B2C3D4E5F6G', since: null, description: null },
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
