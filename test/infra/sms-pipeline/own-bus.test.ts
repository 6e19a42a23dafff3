import { type App, Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { detailTypes, eventSource, exampleEvent } from '../../../events/index.ts';
import { Automation, Target } from '../../../lib/public/index.ts';
import { compilePattern } from '../../../local/event-patterns/compile-pattern.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn, problemsOf } from '../support/own-pipeline.ts';

const arnOf = (account: string, region = 'eu-west-1') => `arn:aws:events:${region}:${account}:event-bus/shop`;

describe('a bus of the app', () => {
  const stack = new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'eu-west-1' } });
  const eventBus = EventBus.fromEventBusArn(stack, 'Bus', arnOf('111111111111'));
  const sms = pipelineIn(stack, { eventBus, automations: [Automation.failureAlert()] });
  sms.events.onDeliveryFailed(Target.sqs(new Queue(stack, 'Failures')));
  const role = new Role(stack, 'Team', { assumedBy: new AccountRootPrincipal() });
  sms.grantSubscribe(role, 'orders-');
  const template = Template.fromStack(stack);

  it('is the only one', () => {
    template.resourceCountIs('AWS::Events::EventBus', 0);
    expect(sms.eventBus).toBe(eventBus);
  });

  it('receives the events of the publisher, which may put them there', () => {
    const id = stack.getLogicalId(sms.publisherFunction.node.defaultChild as never);
    expect(
      template.findResources('AWS::Lambda::Function')[id]?.Properties.Environment.Variables,
    ).toMatchObject({ EVENT_BUS_NAME: 'shop' });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyName: Match.stringLikeRegexp('^SmsPublishPublisherRole'),
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: 'events:PutEvents', Resource: arnOf('111111111111') }),
        ]),
      },
    });
  });

  it('has the rules of automations and subscriptions', () => {
    const rules = Object.entries(template.findResources('AWS::Events::Rule')).filter(
      ([, { Properties }]) => Properties.EventPattern !== undefined,
    );
    expect(rules.map(([id]) => id.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual([
      'SmsAutomationsFailureAlertRulesFailures',
      'SmsEventsOnDeliveryFailedFailuresRule',
      'SmsPublishProbeProbes',
    ]);
    for (const [, { Properties }] of rules)
      expect(Properties).toMatchObject({ EventBusName: 'shop', EventPattern: { source: [eventSource] } });
  });

  it('has an archive of the events of the pipeline only', () => {
    template.hasResourceProperties('AWS::Events::Archive', {
      SourceArn: arnOf('111111111111'),
      EventPattern: { source: [eventSource] },
      RetentionDays: 30,
    });
    const own = new Stack(quickApp(), 'Shop');
    pipelineIn(own, {
      eventBus: new EventBus(own, 'Bus') as IEventBus,
      events: { archive: Duration.days(0) },
    });
    Template.fromStack(own).resourceCountIs('AWS::Events::Archive', 0);
  });

  it('is in the outputs, for the command line', () => {
    const outputs = template.toJSON().Outputs;
    const outputOf = (name: string) =>
      outputs[Object.keys(outputs).find((id) => id.startsWith(`Sms${name}`)) ?? '']?.Value;
    expect(outputOf('EventBusName')).toBe('shop');
    expect(outputOf('EventBusArn')).toBe(arnOf('111111111111'));
  });

  it('lets a team have its own rules', () => {
    const [policy] = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('Team'),
    );
    expect(JSON.stringify(policy)).toContain(':events:eu-west-1:111111111111:rule/shop/orders-*');
  });
});

describe('two pipelines on one bus', () => {
  const app = quickApp();
  const stack = new Stack(app, 'Shop');
  const eventBus = EventBus.fromEventBusName(stack, 'Bus', 'default');
  const parts = {
    eventBus,
    automations: [Automation.failureAlert(), Automation.forward({ url: 'https://crm.example.com/sms' })],
  };
  const names = ['Production', 'Test'].map((id) => {
    const pipeline = pipelineIn(stack, parts, id);
    pipeline.events.onReply(Target.sqs(new Queue(stack, `${id}Replies`)));
    pipeline.events.onDeliveryFailed(Target.sqs(new Queue(stack, `${id}Failures`)));
    return pipeline.pipelineName;
  });
  const template = Template.fromStack(stack);
  const patterns = (type: string) =>
    Object.entries(template.findResources(type)).flatMap(([id, { Properties }]) =>
      Properties.EventPattern === undefined ? [] : [[id, compilePattern(Properties.EventPattern)] as const],
    );

  it.each(['AWS::Events::Rule', 'AWS::Events::Archive'])(
    'no %s of one matches an event of the other',
    (type) => {
      const all = patterns(type);
      expect(all.length).toBeGreaterThan(1);
      const events = Object.values(detailTypes).flatMap((detailType) =>
        names.map((pipeline) => exampleEvent(detailType, { pipeline })),
      );
      for (const [id, isMatch] of all) {
        const found = new Set(events.filter(isMatch).map(({ detail }) => detail.pipeline));
        const own = names.find((name) => id.startsWith(name.split('-')[1] ?? ''));
        expect([...found]).toEqual(id.includes('Probe') ? [] : [own]);
      }
    },
  );
});

it('two pipelines of one account with the same domain are refused, because a name exists once', () => {
  const account = '111111111111';
  const synthOf = (regions: readonly string[], name: 'webhook' | 'console') => {
    const app = quickApp();
    for (const [index, region] of regions.entries()) {
      const stack = new Stack(app, `Shop${index}`, { env: { account, region } });
      const place = name === 'console' ? 'us-east-1' : region;
      const certificate = Certificate.fromCertificateArn(
        stack,
        'Certificate',
        `arn:aws:acm:${place}:${account}:certificate/c-1`,
      );
      const domain = { name: 'sms.example.com', certificate };
      pipelineIn(stack, { metricsNamespace: `Shop${index}`, alarms: { enabled: false }, [name]: { domain } });
    }
    return () => app.synth();
  };
  const inTwoRegions = ['eu-west-1', 'us-east-1'];
  expect(synthOf(['eu-west-1', 'eu-west-1'], 'webhook')).toThrow(
    /webhook.domain.name: Shop1\/Sms has the same, "sms.example.com": API Gateway has a name once/,
  );
  expect(synthOf(inTwoRegions, 'webhook')).not.toThrow();
  expect(synthOf(inTwoRegions, 'console')).toThrow(
    /console.domain.name: Shop1\/Sms has the same, "sms.example.com": CloudFront has a name once/,
  );
});

it('two pipelines of one account with the same metricsNamespace are refused, because alarms of one would count the errors of the other', () => {
  const stackOf = (id: string, region: string, app: App) =>
    new Stack(app, id, { env: { account: '111111111111', region } });
  const synthOf = (regions: readonly string[]) => {
    const app = quickApp();
    for (const [index, region] of regions.entries())
      pipelineIn(stackOf(`Shop${index}`, region, app), {
        metricsNamespace: 'Sms',
        alarms: { enabled: false },
      });
    return () => app.synth();
  };
  expect(synthOf(['eu-west-1', 'eu-west-1'])).toThrow(
    /metricsNamespace: Shop1\/Sms has the same, "Sms": alarms and figures of one would count the other/,
  );
  expect(synthOf(['eu-west-1', 'us-east-1'])).not.toThrow();
  // Without an account and a region, the stacks may be those of two accounts.
  const app = quickApp();
  for (const id of ['Dev', 'Prod'])
    pipelineIn(new Stack(app, id), { metricsNamespace: 'Sms', alarms: { enabled: false } });
  expect(() => app.synth()).not.toThrow();
  const one = new Stack(quickApp(), 'Shop');
  for (const id of ['Sms', 'Two'])
    pipelineIn(one, { metricsNamespace: 'Sms', alarms: { enabled: false } }, id);
  expect(() => (one.node.root as App).synth()).toThrow('metricsNamespace: Shop/Two has the same');
});

it.each([
  ['another account', arnOf('222222222222'), 'eventBus: found a bus of the account 222222222222'],
  ['another region', arnOf('111111111111', 'us-east-1'), 'eventBus: found a bus of the region us-east-1'],
])('a bus of %s is refused', (_, arn, problem) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'eu-west-1' } });
  const eventBus = EventBus.fromEventBusArn(stack, 'Bus', arn);
  expect(() => pipelineIn(stack, { eventBus })).toThrow(problem);
});

it('other accounts of a bus of the app, and the name of a bus, are refused', () => {
  const eventBus = EventBus.fromEventBusName(new Stack(), 'Bus', 'shop');
  expect(problemsOf({ eventBus, events: { accounts: ['222222222222'] } })).toEqual([
    'events.accounts: found 222222222222, expected nothing beside eventBus: you own its policy',
  ]);
  expect(problemsOf({ eventBus: 'shop' as never })).toEqual([
    expect.stringContaining('eventBus: found a text, expected an event bus'),
  ]);
});

it('no team may have rules on the default bus, where it could change all', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const sms = pipelineIn(stack, { eventBus: EventBus.fromEventBusName(stack, 'Bus', 'default') });
  const role = new Role(stack, 'Team', { assumedBy: new AccountRootPrincipal() });
  expect(() => sms.grantSubscribe(role, 'orders-')).toThrow(
    'grantSubscribe needs another bus than the default one',
  );
});
