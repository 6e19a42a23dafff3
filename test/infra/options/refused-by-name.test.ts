import { CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  Automation,
  Contract,
  DetailType,
  SmsPipeline,
  type SmsPipelineProps,
} from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn, problemsOf, stackWith } from '../support/own-pipeline.ts';

const receiving = { contract: Contract.preset('vonage-sms'), registration: false } as const;

it.each<[string, Partial<SmsPipelineProps>, string]>([
  [
    'a function in the place of its result',
    { automations: [Automation.deliveryWatch as never] },
    'automations: found a list whose item 1 is a function that was not called, expected a list of Automation, for example [Automation.failureAlert()]',
  ],
  [
    'a class in the place of a list',
    { automations: DetailType as never },
    'automations: found a class, expected a list of Automation, for example [Automation.failureAlert()]',
  ],
  [
    'a number in the place of seconds',
    { worker: { batchWindow: 5 as never } },
    'worker.batchWindow: found the number 5, expected a Duration, for example Duration.seconds(1)',
  ],
  [
    'a number in the place of minutes',
    { automations: [Automation.failureAlert({ period: 15 as never })] },
    'automations.failureAlert.period: found the number 15, expected a Duration, for example Duration.minutes(15)',
  ],
  [
    'an empty text',
    { alarms: { enabled: true, runbookUrl: '' } },
    'alarms.runbookUrl: found an empty text, expected the http(s) URL',
  ],
  [
    'a claim with a blank',
    { console: { oidc: { issuer: 'https://login.example.com', clientId: 'a', groupsClaim: 'my groups' } } },
    'console.oidc.groupsClaim: found my groups, expected the name of a claim without blanks',
  ],
])('%s is refused by the name of the prop', (_, props, line) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(line)]);
});

it('hours of a parameter in the place of days are refused without the number that stands for them', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const retention = Duration.hours(new CfnParameter(stack, 'Hours', { type: 'Number' }).valueAsNumber);
  expect(() => pipelineIn(stack, { retention })).toThrow(
    'retention: found a token of CDK, whose value is known at deployment only, expected Duration.days(...) of it',
  );
});

it('a token in the changes of a preset is refused by its path', () => {
  const baseUrl = new CfnParameter(new Stack(), 'Url').valueAsString;
  expect(() => Contract.preset('telnyx', { service: { baseUrl } })).toThrow(
    'Contract.preset: service.baseUrl: found a token of CDK',
  );
});

it('props in the place of the id are refused', () => {
  expect(() => new SmsPipeline(new Stack(), receiving as never, undefined as never)).toThrow(
    'SmsPipeline: id: found an object, expected a text',
  );
});

it('a metric needs no options', () => {
  const { pipeline } = stackWith();
  expect(pipeline.metricEventsPublished(null as never).period).toEqual(Duration.minutes(5));
  expect(pipeline.metricEventsStored(null as never).period).toEqual(Duration.minutes(5));
});

describe('more sources than a stack holds', () => {
  const withSources = (count: number, props: Partial<SmsPipelineProps> = {}) => {
    const { stack, pipeline } = stackWith({ ...receiving, apiKey: undefined as never, ...props });
    for (let index = 0; index < count; index += 1)
      pipeline.addSource(`source-s${index}`, { contract: Contract.preset('vonage-sms') });
    return { stack, pipeline };
  };

  it('are refused with the number of sources, before CDK counts resources', () => {
    const { stack, pipeline } = withSources(13);
    expect(pipeline.node.validate()).toEqual([
      expect.stringMatching(
        /^addSource: found 14 sources in a stack of 5\d\d resources, expected at most 500 resources: each source has about 40. Give further sources to a second pipeline/,
      ),
    ]);
    expect(() => (stack.node.root as ReturnType<typeof quickApp>).synth()).toThrow(
      'addSource: found 14 sources',
    );
  });

  it('are counted as in the template', () => {
    const { Resources } = Template.fromStack(withSources(1).stack).toJSON();
    const exactly = Object.keys(Resources).length;
    const problemsWith = (max: number) => {
      const stack = new Stack(quickApp({ '@aws-cdk/core:stackResourceLimit': max }), 'Shop');
      const pipeline = pipelineIn(stack, { ...receiving, apiKey: undefined as never });
      pipeline.addSource('source-s0', { contract: Contract.preset('vonage-sms') });
      return pipeline.node.validate();
    };
    expect(problemsWith(exactly)).toEqual([]);
    expect(problemsWith(exactly - 1)).toHaveLength(1);
  });

  it('are refused with the console, whose function has the names of all in its environment', () => {
    expect(() => withSources(10, { console: {} })).toThrow('name: expected at most 10 sources with console');
    const { stack } = withSources(9, { console: {} });
    const { Resources } = Template.fromStack(stack).toJSON();
    const texts = Object.values<object>(Resources).map((resource) => JSON.stringify(resource));
    const withNames = texts.find((text) => text.includes('FURTHER_SOURCES')) ?? '';
    const [variables = ''] = /"Variables":.*?(?="Handler")/.exec(withNames) ?? [];
    // The longest names of queues. Names of tables are seldom longer, because CloudFormation makes them of the stack and the logical id.
    const named = variables
      .replaceAll(/\{"(?:Ref|Fn::GetAtt)":(?:"[^"]*"|\[[^\]]*\])\}/g, 'n'.repeat(80))
      .replaceAll(/\{"Fn::Join":|\\/g, '');
    expect(named.length).toBeLessThan(4096);
  });
});
