import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { type ISmsPipeline, SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

/** A pipeline in one stack, a function and a queue in another one, and the app of both. */
function twoStacks() {
  const app = quickApp();
  const stack = new Stack(app, 'Shop');
  const topic = new Topic(stack, 'Tickets');
  const pipeline = pipelineIn(stack, { alarms: { topic } });
  const other = new Stack(app, 'Other');
  const fn = new LambdaFunction(other, 'Fn', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline('//'),
  });
  return { app, pipeline, topic, other, fn, queue: new Queue(other, 'Queue') };
}

type Stacks = ReturnType<typeof twoStacks>;

/** How the other stack uses the pipeline besides the subscription. */
const uses: readonly (readonly [string, (stacks: Stacks, sms: ISmsPipeline) => void])[] = [
  [
    'whose function queries the history',
    ({ pipeline, fn }, sms) => {
      sms.events.onReply(Target.lambda(fn));
      pipeline.grantQuery(fn);
      fn.addEnvironment('QUERY_URL', pipeline.queryUrl);
    },
  ],
  [
    'whose function keeps its failures in the dead-letter queue of the subscription',
    ({ fn }, sms) => {
      const { deadLetterQueue } = sms.events.onReply(Target.lambda(fn));
      fn.configureAsyncInvoke({ onFailure: new SqsDestination(deadLetterQueue) });
    },
  ],
  ['whose queue is the target', ({ queue }, sms) => void sms.events.onReply(Target.sqs(queue))],
];

describe.each(uses)('another stack, %s', (_, use) => {
  it('refers to the pipeline and subscribes in itself, as docs/reference/props.md says', () => {
    const stacks = twoStacks();
    const { app, pipeline, topic, other } = stacks;
    const sms = SmsPipeline.fromAttributes(other, 'Sms', {
      pipelineName: pipeline.pipelineName,
      eventBusName: pipeline.eventBus.eventBusName,
      alarms: { topic },
    });
    use(stacks, sms);
    const { dependencies } = app.synth().getStackArtifact('Shop');
    expect(dependencies.map(({ id }) => id)).not.toContain('Other');
    Template.fromStack(other).resourceCountIs('AWS::Events::Rule', 1);
  });

  it('would make a cycle with the subscriptions of the construct', () => {
    const stacks = twoStacks();
    expect(() => {
      use(stacks, stacks.pipeline);
      stacks.app.synth();
    }).toThrow(/would create a cyclic reference/);
  });
});

it('a function of another stack that uses nothing of the pipeline is a target of the construct', () => {
  const { app, pipeline, fn } = twoStacks();
  pipeline.events.onReply(Target.lambda(fn));
  expect(() => app.synth()).not.toThrow();
});
