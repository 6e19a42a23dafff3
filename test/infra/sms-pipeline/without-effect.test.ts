import { Duration } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Match as Matcher } from 'aws-cdk-lib/aws-events';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import {
  Automation,
  Contract,
  type DeliveryStatusOptions,
  DetailType,
  Keywords,
  type SmsPipelineProps,
  Target,
} from '../../../lib/public/index.ts';
import { problemsOf, stackWith, twilioRegistration } from '../support/own-pipeline.ts';

/** A pipeline with a subscription to changes of statuses. */
function subscribed(filter: DeliveryStatusOptions, props: Partial<SmsPipelineProps> = {}) {
  const { stack, pipeline } = stackWith({ alarms: { enabled: false }, ...props });
  const subscription = pipeline.events.onDeliveryStatus(Target.sqs(new Queue(stack, 'Inbox')), filter);
  return { stack, pipeline, subscription };
}

describe('a subscription to statuses', () => {
  it.each<[string, DeliveryStatusOptions]>([
    ['status, outcome', { status: ['delivered'], outcome: ['failure'] }],
    ['status, final', { status: ['sent'], final: true }],
    ['status, final', { status: ['failed', 'delivered'], final: false }],
    ['status, outcome', { status: ['word:on-hold'], outcome: ['success'] }],
    ['outcome, final', { outcome: ['open'], final: true }],
    ['status, outcome', { status: Matcher.prefix('deliv'), outcome: ['failure'] }],
  ])('is refused if no event has the fields %s together: %j', (names, filter) => {
    expect(() => subscribed(filter)).toThrow(`${names}: no event has these together`);
  });

  it.each<[DeliveryStatusOptions]>([
    [{ status: ['delivered', 'failed'], outcome: ['failure'] }],
    [{ status: ['word:on-hold'], final: false }],
    [{ status: Matcher.anythingBut('delivered'), outcome: ['success'] }],
    [{ status: Matcher.prefix('on-'), outcome: ['open'] }],
    [{ outcome: ['failure'], final: true }],
    [{ status: ['sent'], final: false, outcome: ['open'] }],
  ])('is accepted if an event may have them: %j', (filter) => {
    expect(() => subscribed(filter)).not.toThrow();
  });
});

it('a subscription to the answers of lookups needs lookups', () => {
  const problems = (props: Partial<SmsPipelineProps>) =>
    subscribed({ origin: ['lookup'] }, props).pipeline.node.validate();
  expect(problems({})).toEqual([
    'Shop/Sms/Events/OnDeliveryStatusInbox: no event has the origin "lookup" without lookups: true.',
  ]);
  expect(problems({ contract: twilioRegistration(), lookups: true })).toEqual([]);
  expect(subscribed({ origin: ['lookup', 'import'] }).pipeline.node.validate()).toEqual([]);
});

it('a subscription to drift of the webhook needs a registration', () => {
  const problems = (props: Partial<SmsPipelineProps>) => {
    const { stack, pipeline } = stackWith({ alarms: { enabled: false }, ...props });
    const target = Target.sqs(new Queue(stack, 'Inbox'));
    pipeline.events.onEvent(target, { detailTypes: [DetailType.WEBHOOK_DRIFTED] });
    return pipeline.node.validate();
  };
  expect(problems({ contract: Contract.preset('vonage-sms'), registration: false })).toEqual([
    'Shop/Sms/Events/OnEventInbox: the pipeline publishes no such event without registration: true.',
  ]);
  expect(problems({})).toEqual([]);
});

it('a subscription to requests for help needs words that mean help', () => {
  const problems = (everywhere: string[], germany: string[]) => {
    const words = (help: string[]) => ({ stop: ['STOP'], start: [], help });
    const keywords = Keywords.fromObject({
      everywhere: words(everywhere),
      countries: { DE: { stop: [], start: [], help: germany } },
    });
    const { stack, pipeline } = stackWith({ alarms: { enabled: false }, keywords });
    pipeline.events.onHelp(Target.sqs(new Queue(stack, 'Inbox')));
    return pipeline.node.validate();
  };
  expect(problems([], [])).toEqual([
    'Shop/Sms/Events/OnHelpInbox: the pipeline publishes no such event without words of "help" among its keywords.',
  ]);
  expect(problems([], ['HILFE'])).toEqual([]);
  expect(problems(['HELP'], [])).toEqual([]);
});

it('a subscription to events about a provider brings a warning as long as there is one source', () => {
  const { stack, pipeline } = stackWith({
    alarms: { enabled: false },
    automations: [Automation.deliveryWatch()],
  });
  pipeline.events.onProviderDegraded(Target.sqs(new Queue(stack, 'Inbox')));
  Annotations.fromStack(stack).hasWarning(
    '*',
    Match.stringLikeRegexp('only if the pipeline has several sources'),
  );
});

it('a subscription to events about a provider brings no warning with two sources', () => {
  const { stack, pipeline } = stackWith({
    alarms: { enabled: false },
    automations: [Automation.deliveryWatch()],
  });
  pipeline.events.onProviderDegraded(Target.sqs(new Queue(stack, 'Inbox')));
  pipeline.addSource('backup', { contract: Contract.preset('vonage-sms'), registration: false });
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('several sources'));
});

describe('a subscription by a field that no contract reads', () => {
  const vonage = { contract: Contract.preset('vonage-sms'), registration: false } as const;
  const warning = Match.stringLikeRegexp('selects by sendId, which no contract of the pipeline reads');

  it('brings a warning, because only an import could publish such an event', () => {
    const { stack } = subscribed({ sendId: ['send-1'] }, vonage);
    Annotations.fromStack(stack).hasWarning('/Shop/Sms/Events/OnDeliveryStatusInbox', warning);
  });

  it('brings none if a source reads it, or if the field must be absent', () => {
    Annotations.fromStack(subscribed({ sendId: ['send-1'] }).stack).hasNoWarning('*', warning);
    const absent = subscribed({ sendId: Matcher.doesNotExist() }, vonage);
    Annotations.fromStack(absent.stack).hasNoWarning('*', warning);
  });
});

it.each<[string, Partial<SmsPipelineProps>, readonly string[]]>([
  ['registration', {}, []],
  ['neither', { contract: Contract.preset('vonage-sms'), registration: false }, ['apiKey']],
  [
    'neither',
    {
      contract: Contract.preset('vonage-sms'),
      registration: false,
      serviceBaseUrl: 'https://api.sms-service.test',
    },
    ['apiKey', 'serviceBaseUrl'],
  ],
  [
    'lookups at an address of their own',
    {
      contract: Contract.preset('plivo-v3'),
      registration: false,
      lookups: true,
      serviceBaseUrl: 'https://api.sms-service.test',
    },
    ['serviceBaseUrl'],
  ],
])('with %s, a prop that nothing reads brings a warning: %#', (_, props, unused) => {
  const { stack } = stackWith(props);
  const annotations = Annotations.fromStack(stack);
  for (const prop of ['apiKey', 'serviceBaseUrl']) {
    const text = Match.stringLikeRegexp(`^${prop} has no effect`);
    if (unused.includes(prop)) annotations.hasWarning('/Shop/Sms', text);
    else annotations.hasNoWarning('*', text);
  }
});

it('staleAfter is shorter than retention', () => {
  expect(problemsOf({ staleAfter: Duration.days(10), retention: Duration.days(10) })).toEqual([
    expect.stringMatching(/^staleAfter: found 240 hours, expected less than retention, which is 10 days/),
  ]);
  expect(problemsOf({ staleAfter: Duration.days(9), retention: Duration.days(10) })).toEqual([]);
  expect(problemsOf({ staleAfter: Duration.hours(0), retention: Duration.days(1) })).toEqual([]);
});

it('a source may not send the API key of one provider to another', () => {
  const { stack, pipeline } = stackWith({ contract: twilioRegistration(), lookups: true });
  const add = (name: string, preset: string, secretName: string) =>
    pipeline.addSource(name, {
      contract: Contract.preset(preset),
      apiKey: Secret.fromSecretNameV2(stack, `Key${name}`, secretName),
      registration: false,
      lookups: true,
    });
  expect(() => add('backup', 'plivo-v3', 'sms/api-key')).toThrow(
    'Shop/Sms, source "backup" are wrong:\n  apiKey: found the secret of the source main, expected another one: the key for twilio.com would be sent to plivo.com',
  );
  expect(() => add('second', 'twilio', 'sms/api-key')).not.toThrow();
  expect(() => add('third', 'plivo-v3', 'sms/plivo-key')).not.toThrow();
});

describe('a filter that no event matches', () => {
  it.each<[DeliveryStatusOptions, string]>([
    [{ channel: ['sms'] }, 'channel: found "sms", expected Match.doesNotExist()'],
    [{ channel: ['SMS'] }, 'channel: found "SMS", expected Match.doesNotExist()'],
    [
      { channel: ['WhatsApp'] },
      'channel: found "WhatsApp", expected small letters, as in events: "whatsapp"',
    ],
    [{ currency: ['eur'] }, 'currency: found "eur", expected three capitals'],
    [{ network: Matcher.wildcard('**a') }, 'network: the matcher "wildcard" has ** in it'],
    [
      { network: [Matcher.prefix('a')] as never },
      'network: found a list in the list, expected values, or a matcher without',
    ],
  ])('is refused: %#', (filter, line) => {
    expect(() => subscribed(filter)).toThrow(line);
  });

  it.each<[DeliveryStatusOptions]>([[{ phone: ['0170123456'] }], [{ phone: Matcher.prefix('0170') }]])(
    'brings a warning if it has a number without the code of its country: %#',
    (filter) => {
      Annotations.fromStack(subscribed(filter).stack).hasWarning(
        '/Shop/Sms/Events/OnDeliveryStatusInbox',
        Match.stringLikeRegexp('selects by a phone that does not begin with'),
      );
    },
  );

  it.each<[DeliveryStatusOptions]>([
    [{ phone: ['+12025550123'] }],
    [{ phone: Matcher.prefix('+1') }],
    [{ channel: ['whatsapp'], currency: ['EUR'] }],
  ])('differs from one that some events match: %#', (filter) => {
    Annotations.fromStack(subscribed(filter).stack).hasNoWarning(
      '*',
      Match.stringLikeRegexp('selects by a phone'),
    );
  });
});

it.each<[SmsPipelineProps['webhook'], boolean]>([
  [{ ratePerSecond: 1000, burst: 1 }, true],
  [{ ratePerSecond: 5000, burst: 10 }, true],
  [{ ratePerSecond: 5000 }, false],
])('a burst far below the rate brings a warning: %j %s', (webhook = {}, isWarned) => {
  const annotations = Annotations.fromStack(stackWith({ webhook, listShards: 5 }).stack);
  const warning = Match.stringLikeRegexp('webhook.burst is .* answers 429');
  if (isWarned) annotations.hasWarning('*', warning);
  else annotations.hasNoWarning('*', warning);
});

it('webhook.repairDrift without registration brings a warning', () => {
  const warning = Match.stringLikeRegexp('^webhook.repairDrift has no effect');
  const receiving = { contract: Contract.preset('vonage-sms'), registration: false } as const;
  const warned = stackWith({ ...receiving, apiKey: undefined as never, webhook: { repairDrift: false } });
  Annotations.fromStack(warned.stack).hasWarning('/Shop/Sms', warning);
  Annotations.fromStack(stackWith({ webhook: { repairDrift: false } }).stack).hasNoWarning('*', warning);
});

it('the delivery watch needs counters as old as what it compares with', () => {
  const withDays = (days: number) =>
    problemsOf({
      insights: { hourRetention: Duration.days(days) },
      automations: [Automation.deliveryWatch()],
    });
  expect(withDays(28)).toEqual([
    expect.stringMatching(/^insights.hourRetention: found 28 days, expected at least 29 days/),
  ]);
  expect(withDays(29)).toEqual([]);
  expect(problemsOf({ insights: { hourRetention: Duration.days(1) } })).toEqual([]);
});

it.each(['MessagesFailing', 'ForwardMessagesFailing', 'PublisherBehind', 'InsightsBehind'])(
  'a threshold of %s in seconds is refused, because the alarm counts milliseconds',
  (alarm) => {
    expect(problemsOf({ alarms: { enabled: true, overrides: { [alarm]: { threshold: 300 } } } })).toEqual([
      `alarms.overrides.${alarm}.threshold: found 300, expected milliseconds, at least 1000: for example 600000 for ten minutes`,
    ]);
  },
);
