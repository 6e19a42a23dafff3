import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { IncidentAlarm } from '../../../lib/building-blocks/incident-alarm.ts';
import { OperatorAlarm } from '../../../lib/building-blocks/operator-alarm.ts';
import { alarmNames } from '../../../lib/options/alarm-names.ts';
import { type AlarmsProps, Automation, Contract, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { alarmsIn, pipelineIn, problemsOf, stackWith } from '../support/own-pipeline.ts';

it('alarms: { enabled: false } makes no alarm, of subscriptions neither, and warns about none', () => {
  const { stack, pipeline } = stackWith({
    alarms: { enabled: false },
    automations: [Automation.contactSync()],
  });
  pipeline.events.onHelp(Target.sqs(new Queue(stack, 'Help')));
  expect(alarmsIn(stack)).toEqual([]);
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('alarm'));
});

it('synth refuses a topic of tickets or of pages that CloudWatch may not publish to', () => {
  const problems = (alarms: (scope: Stack, refused: Topic) => AlarmsProps) => {
    const stack = new Stack(quickApp(), 'Shop');
    const masterKey = Alias.fromAliasName(stack, 'SnsKey', 'alias/aws/sns');
    const { node } = pipelineIn(stack, { alarms: alarms(stack, new Topic(stack, 'Refused', { masterKey })) });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const refused = [expect.stringContaining('Shop/Refused is encrypted with alias/aws/sns')];
  expect(problems((_, topic) => ({ topic }))).toEqual(refused);
  expect(problems((scope, page) => ({ topic: new Topic(scope, 'Tickets'), page }))).toEqual(refused);
});

describe('evaluationPeriods of an override', () => {
  const problemsWith = (periods: Readonly<Record<string, number>>, period = Duration.minutes(15)) =>
    problemsOf({
      exports: {},
      automations: [Automation.failureAlert({ period }), Automation.billingWatch()],
      alarms: {
        overrides: Object.fromEntries(
          Object.entries(periods).map(([name, evaluationPeriods]) => [name, { evaluationPeriods }]),
        ),
      },
    });

  it('are as many as CloudWatch evaluates', () => {
    const most = { ExporterErrors: 28, BillingWatchErrors: 7, AlertErrors: 96, QueueBehind: 100 };
    expect(problemsWith(most)).toEqual([]);
    expect(problemsWith({ AlertErrors: 7 }, Duration.days(1))).toEqual([]);
  });

  it('are refused above, and the error names every alarm with its period and its maximum', () => {
    const wrong = { ExporterErrors: 29, BillingWatchErrors: 8, AlertErrors: 97 };
    const line = (alarm: string, found: number, max: number, period: string, most: string) =>
      `alarms.overrides.${alarm}.evaluationPeriods: found ${found}, expected at most ${max}: the alarm has periods of ${period}, and CloudWatch evaluates at most ${most}`;
    const problems = problemsWith(wrong);
    expect(problems).toHaveLength(3);
    expect(problems).toEqual(
      expect.arrayContaining([
        line('ExporterErrors', 29, 28, '6 hours', 'seven days'),
        line('BillingWatchErrors', 8, 7, '24 hours', 'seven days'),
        line('AlertErrors', 97, 96, '15 minutes', 'a day of periods shorter than an hour'),
      ]),
    );
    expect(problemsWith({ AlertErrors: 8 }, Duration.days(1))).toEqual([
      line('AlertErrors', 8, 7, '24 hours', 'seven days'),
    ]);
  });

  it('are refused for an alarm that only a further source has', () => {
    const { pipeline, stack } = stackWith({
      alarms: { overrides: { LookupErrors: { evaluationPeriods: 97 } } },
    });
    expect(() =>
      pipeline.addSource('backup', {
        contract: Contract.preset('plivo-v3'),
        apiKey: Secret.fromSecretNameV2(stack, 'BackupKey', 'sms/backup-key'),
        registration: false,
        lookups: true,
      }),
    ).toThrow('alarms.overrides.LookupErrors.evaluationPeriods: found 97, expected at most 96');
  });
});

it('synth refuses a FIFO topic of alarms, made here or imported', () => {
  const problems = (topicOf: (scope: Stack) => ITopic) => {
    const stack = new Stack(quickApp(), 'Shop');
    const { node } = pipelineIn(stack, { alarms: { topic: topicOf(stack) } });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const refused = ['Shop/T is a FIFO topic, which no alarm can notify. Use a standard topic.'];
  expect(problems((scope) => new Topic(scope, 'T', { fifo: true }))).toEqual(refused);
  const arn = 'arn:aws:sns:us-east-1:111111111111:ops.fifo';
  expect(problems((scope) => Topic.fromTopicArn(scope, 'T', arn))).toEqual(refused);
});

it('notices of automations go to the topic that is given', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const topic = new Topic(stack, 'Support');
  pipelineIn(stack, {
    automations: [Automation.failureAlert({ topic, period: Duration.hours(1) }), Automation.optOutContacts()],
  });
  const template = Template.fromStack(stack);
  template.resourceCountIs('AWS::SNS::Topic', 2);
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: Match.objectLike({
        NOTICES_TOPIC_ARN: { Ref: stack.getLogicalId(topic.node.defaultChild as never) },
        ALERT_PERIOD_MINUTES: '60',
      }),
    },
  });
});

it.each([
  ['cn-north-1', 'https://cn-north-1.console.amazonaws.cn/cloudwatch/'],
  ['us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com/cloudwatch/'],
  ['eu-west-1', 'https://eu-west-1.console.aws.amazon.com/cloudwatch/'],
])('alarms in %s link to logs at the console of its partition', (region, link) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { region } });
  pipelineIn(stack);
  const links = alarmsIn(stack)
    .map(([, { AlarmDescription }]) =>
      JSON.stringify(AlarmDescription).replaceAll('",{"Ref":"AWS::Region"},"', region),
    )
    .flatMap((description) => / LOGS: (\S+\/cloudwatch\/)/.exec(description)?.[1] ?? []);
  expect(links.length).toBeGreaterThan(0);
  expect(new Set(links)).toEqual(new Set([link]));
});

const someTopic = () => Topic.fromTopicArn(new Stack(), 'Topic', 'arn:aws:sns:us-east-1:000000000000:ops');

/** A pipeline with every alarm. */
const everyAlarm = () =>
  stackWith({
    lookups: true,
    exports: {},
    webhook: { allowedSources: ['192.0.2.0/24'] },
    automations: [
      Automation.optOutContacts(),
      Automation.contactSync(),
      Automation.failureAlert(),
      Automation.billingWatch(),
      Automation.deliveryWatch(),
      Automation.forward({ url: 'https://shop.test/events' }),
    ],
  }).pipeline.node.findAll();

const propsPage = readFileSync(join(import.meta.dirname, '../../../docs/reference/props.md'), 'utf8');

/** What the page for users of the construct lists: name, threshold and periods of each alarm. */
const listed = [...propsPage.matchAll(/^\| (`.+`) \| (\d+) .* \| (?:(\d) of )?(\d),.* \|$/gm)].flatMap(
  ([, names = '', threshold, datapoints, periods]) =>
    [...names.matchAll(/\w+/g)].map((name) => [name, threshold, datapoints ?? periods, periods].join(' ')),
);

describe('single alarms', () => {
  const nodes = everyAlarm();
  const alarms = nodes.filter((node) => node instanceof OperatorAlarm);

  it('have the names that can be changed', () => {
    const incidents = nodes.filter((node) => node instanceof IncidentAlarm).map(({ node }) => node.id);
    expect([...alarms.map(({ name }) => name), ...incidents].sort()).toEqual([...alarmNames].sort());
  });

  it('are as the page for users of the construct lists them', () => {
    const found = alarms.flatMap(({ name, alarm }) => {
      if (!(alarm?.node.defaultChild instanceof CfnAlarm)) return [];
      const { threshold, datapointsToAlarm, evaluationPeriods } = alarm.node.defaultChild;
      return [[name, threshold, datapointsToAlarm, evaluationPeriods].join(' ')];
    });
    expect(listed.toSorted()).toEqual(found.sort());
  });
});

describe('alarms', () => {
  it('are at most 20 by default, two composite ones among them', () => {
    const { stack } = stackWith();
    expect(alarmsIn(stack).length).toBeLessThanOrEqual(20);
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::CompositeAlarm', 2);
  });

  it('do not go off for batches that wait as long as they may', () => {
    const threshold = (seconds: number) => {
      const { stack } = stackWith({ worker: { batchWindow: Duration.seconds(seconds) } });
      return alarmsIn(stack).find(([id]) => id.includes('QueueBehind'))?.[1].Threshold;
    };
    expect([1, 150, 151, 300].map(threshold)).toEqual([300, 300, 302, 600]);
  });

  it('go off at the given thresholds, known or not', () => {
    const { stack } = stackWith();
    const number = (id: string) => new CfnParameter(stack, id, { type: 'Number' }).valueAsNumber;
    pipelineIn(
      stack,
      {
        alarms: {
          topic: new Topic(stack, 'Tickets'),
          page: new Topic(stack, 'Pages'),
          runbookUrl: new CfnParameter(stack, 'Runbook').valueAsString,
          overrides: {
            RequestsNotAccepted: { threshold: 2 },
            RequestsRejected: { threshold: number('Rejected') },
            QueueBehind: { threshold: 1200, evaluationPeriods: 5, datapointsToAlarm: 4 },
            SetupErrors: { evaluationPeriods: 1 },
          },
        },
      },
      'Second',
    );
    const found = alarmsIn(stack).filter(([id]) => id.startsWith('Second'));
    const thresholds = found.map(([id, { Threshold }]) => [
      /([A-Z][a-z]+[A-Z][a-z]+[A-Za-z]*)Alarm/.exec(id)?.[1],
      Threshold,
    ]);
    expect(Object.fromEntries(thresholds)).toMatchObject({
      SecondReceiveIngestRequestsNotAccepted: 2,
      SecondReceiveIngestRequestsRejected: { Ref: 'Rejected' },
      SecondReceiveEventsQueueBehind: 1200,
      SecondReceiveEventsEventsQuarantined: 1,
    });
    const periodsOf = (name: string) => {
      const [, alarm] = found.find(([id]) => id.includes(name)) ?? [];
      return [alarm?.EvaluationPeriods, alarm?.DatapointsToAlarm];
    };
    expect(periodsOf('EventsQueueBehind')).toEqual([5, 4]);
    expect(periodsOf('SetupErrors')).toEqual([1, 1]);
    expect(periodsOf('ConsumerErrors')).toEqual([3, 3]);
    for (const [, { AlarmDescription }] of found)
      expect(JSON.stringify(AlarmDescription)).toMatch(/RUNBOOK: ",\{"Ref":"Runbook"\},"#[a-z0-9-]+/);
  });

  it('can be left out one by one, also of a composite alarm', () => {
    const { stack } = stackWith({
      alarms: {
        topic: someTopic(),
        overrides: { MessagesFailing: { enabled: false }, RequestsNearThrottle: { enabled: false } },
      },
    });
    const alarms = alarmsIn(stack);
    expect(alarms.filter(([id]) => /MessagesFailing|RequestsNearThrottle/.test(id))).toEqual([]);
    const [, incident] = alarms.find(([id]) => id.includes('EventsNotStored')) ?? [];
    expect(JSON.stringify(incident)).toMatch(/QueueBehind.*ConsumerErrors/);
    expect(JSON.stringify(incident)).not.toContain('MessagesFailing');
    // Without MessagesFailing every member reports its end, and so does the composite alarm.
    expect(incident?.OKActions).toHaveLength(1);
  });

  it('of an incident are tickets without their composite alarm, and there is none without members', () => {
    const { stack } = stackWith({
      alarms: {
        topic: someTopic(),
        overrides: {
          EventsNotStored: { enabled: false },
          PublisherBehind: { enabled: false },
          PublisherErrors: { enabled: false },
        },
      },
    });
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::CompositeAlarm', 0);
    const [, behind] = alarmsIn(stack).find(([id]) => id.includes('QueueBehind')) ?? [];
    expect(JSON.stringify(behind?.AlarmDescription)).toContain('SEVERITY: ticket.');
  });

  it('notify a topic of their own, with their end', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const topic = new Topic(stack, 'Tickets');
    const others = new Topic(stack, 'Others');
    pipelineIn(stack, {
      alarms: { topic, overrides: { QueryErrors: { topic: others }, EventsNotStored: { topic: others } } },
    });
    const notified = alarmsIn(stack).filter(([, { AlarmActions }]) =>
      JSON.stringify(AlarmActions).includes('Others'),
    );
    expect(notified.map(([id]) => id.replace(/Alarm\w+$/, '')).sort()).toEqual([
      'SmsQueryQueryErrors',
      'SmsReceiveEventsNotStored',
    ]);
    expect(notified.find(([id]) => id.includes('Query'))?.[1].OKActions).toEqual([
      stack.resolve(others.topicArn),
    ]);
    // `sms doctor --test-alarm` proves that the topic of tickets is notified.
    const outputs = Template.fromStack(stack).findOutputs('*');
    expect(JSON.stringify(outputs)).toContain('TicketAlarmNames');
    expect(
      Object.keys(outputs).flatMap((id) => (/AlarmNames/.test(id) ? JSON.stringify(outputs[id]) : [])),
    ).not.toContainEqual(expect.stringContaining('QueryErrors'));
  });

  it('of an automation have names of their own', () => {
    const { stack } = stackWith({
      automations: [Automation.contactSync(), Automation.failureAlert()],
      alarms: {
        topic: someTopic(),
        overrides: {
          ContactSyncQueueBehind: { threshold: 7200 },
          FailureAlertDeadLettersPresent: { threshold: 5 },
        },
      },
    });
    const thresholdOf = (part: string) =>
      alarmsIn(stack).find(([id]) => id.startsWith(`Sms${part}`))?.[1].Threshold;
    expect(thresholdOf('AutomationsContactSyncQueueBehind')).toBe(7200);
    expect(thresholdOf('ReceiveEventsQueueBehind')).toBe(300);
    expect(thresholdOf('AutomationsFailureAlertDeadLettersPresent')).toBe(5);
    expect(thresholdOf('ReceiveEventsDeadLettersPresent')).toBe(1);
  });

  it('refuse a topic of their own that CloudWatch may not publish to', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const topic = new Topic(stack, 'Fifo', { fifo: true });
    const { node } = pipelineIn(stack, {
      alarms: { topic: new Topic(stack, 'Tickets'), overrides: { QueryErrors: { topic } } },
    });
    expect(node.findAll().flatMap((child) => child.node.validate())).toEqual([
      'Shop/Fifo is a FIFO topic, which no alarm can notify. Use a standard topic.',
    ]);
  });
});
