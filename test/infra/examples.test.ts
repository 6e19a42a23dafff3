import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it, vi } from 'vitest';
import { compilePattern } from '../../local/event-patterns/compile-pattern.ts';
import { failed, onTheBus, optOut, reply } from './subscribe/support.ts';
import { newFolder, resource, resourcesOf } from './support/built-app.ts';

/** Runs an example's app with the environment that the CDK's command line gives it. It has one stack. */
async function synthesize(run: () => Promise<unknown>) {
  const outdir = newFolder();
  vi.stubEnv('CDK_OUTDIR', outdir);
  await run();
  vi.unstubAllEnvs();
  const read = (name: string) => JSON.parse(readFileSync(join(outdir, name), 'utf8'));
  expect(read('validation-report.json').pluginReports).toEqual([]);
  const [name = '', ...others] = readdirSync(outdir).filter((file) => file.endsWith('.template.json'));
  expect(others).toEqual([]);
  return Template.fromJSON(read(name));
}

/** The longest description that CloudWatch takes of an alarm. */
const maxCharacters = 1024;

function expectAdvice(template: Template): void {
  const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
  expect(alarms.length).toBeGreaterThan(0);
  for (const { Properties } of alarms) {
    expect(Properties.AlarmDescription).toMatch(/^SEVERITY: \w+\. CAUSE: .+\. IMPACT: .+\. FIRST: .+\.$/);
    expect(String(Properties.AlarmDescription).length).toBeLessThanOrEqual(maxCharacters);
  }
}

const ruleIn = (template: Template, prefix: string) =>
  resource(template, 'AWS::Events::Rule', prefix).Properties;

interface TransformedTarget {
  readonly InputTransformer: {
    readonly InputPathsMap: Readonly<Record<string, string>>;
    readonly InputTemplate: string;
  };
}

const targetsOf = ({ Targets }: Readonly<Record<string, unknown>>) =>
  Targets as [TransformedTarget, ...TransformedTarget[]];

/**
 * What EventBridge makes of an event ("Amazon EventBridge input transformation", EventBridge user guide): a value between quotes is put
 * in as it is, another one as JSON, and one that the event lacks is left out.
 */
function transformed({ InputTransformer }: TransformedTarget, event: { detail: object }): unknown {
  const { InputPathsMap, InputTemplate } = InputTransformer;
  const detail: Readonly<Record<string, unknown>> = { ...event.detail };
  const written = InputTemplate.replaceAll(/(:?)<([\w-]+)>/g, (_, isValue, name) => {
    const value = detail[InputPathsMap[name]?.replace('$.detail.', '') ?? ''];
    return isValue ? `:${JSON.stringify(value)}` : String(value ?? '');
  });
  return JSON.parse(written);
}

/** A pattern as it is after a deployment for the pipeline of these events. */
function deployed(pattern: unknown): unknown {
  return JSON.parse(JSON.stringify(pattern).replace('{"Ref":"PipelineName"}', '"SmsPipeline"'));
}

describe('reply-workflow', async () => {
  const template = await synthesize(() => import('../../examples/reply-workflow/app.ts'));

  it('starts the workflow for replies without a keyword', () => {
    const { EventPattern, Targets } = ruleIn(template, 'SmsEventsOnReplyHandleReply');
    const isMatch = compilePattern(deployed(EventPattern));
    expect(isMatch(onTheBus(reply))).toBe(true);
    expect(isMatch(onTheBus({ ...reply, detail: { ...reply.detail, keyword: 'stop' } }))).toBe(false);
    const { id } = resource(template, 'AWS::StepFunctions::StateMachine');
    expect(Targets).toMatchObject([{ Arn: { Ref: id } }]);
  });

  it('gives advice in its alarms', () => expectAdvice(template));
});

describe('another-account', async () => {
  const template = await synthesize(() => import('../../examples/another-account/app.ts'));

  it('sends only replies and opt-outs from the bus of the pipeline to its own bus', () => {
    const isMatch = compilePattern(deployed(ruleIn(template, 'Pipeline').EventPattern));
    expect([reply, optOut, failed].map((event) => isMatch(onTheBus(event)))).toEqual([true, true, false]);
  });

  it('gives advice in its alarms', () => expectAdvice(template));
});

describe('slack', async () => {
  const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text } });
  const template = await synthesize(() => import('../../examples/slack/app.ts'));

  it('posts to the URL in the secret, which the template does not hold, one message a second', () => {
    const destinations = Object.values(resourcesOf(template, 'AWS::Events::ApiDestination'));
    expect(destinations).toHaveLength(2);
    for (const { Properties } of destinations) {
      expect(JSON.stringify(Properties.InvocationEndpoint)).toContain('{{resolve:secretsmanager:');
      expect(Properties).toMatchObject({ HttpMethod: 'POST', InvocationRateLimitPerSecond: 1 });
    }
  });

  it('notifies the topic of messages that Slack refused', () => {
    const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
    expect(alarms.map(({ Properties }) => Properties.AlarmActions)).toEqual([
      [{ Ref: 'AlarmTopicArn' }],
      [{ Ref: 'AlarmTopicArn' }],
    ]);
  });

  it('writes a message of a failure without the number', () => {
    const [target] = targetsOf(ruleIn(template, 'SmsEventsOnDeliveryFailedSlack'));
    const message = transformed(target, {
      ...failed,
      detail: { ...failed.detail, errorReason: 'unreachable' },
    });
    const said = 'An SMS was not delivered: failed, unreachable';
    expect(message).toEqual({ text: said, blocks: [section(said), section('msg-1')] });
    expect(transformed(target, failed)).toMatchObject({ text: 'An SMS was not delivered: failed, ' });
  });

  it('writes the same message whatever the service takes for an id', () => {
    const id = 'a","text":"<!channel>","blocks":[],"b":"\\';
    const [failure] = targetsOf(ruleIn(template, 'SmsEventsOnDeliveryFailedSlack'));
    const [answer] = targetsOf(ruleIn(template, 'SmsEventsOnReplySlack'));
    expect(transformed(failure, { ...failed, detail: { ...failed.detail, messageId: id } })).toMatchObject({
      text: 'An SMS was not delivered: failed, ',
      blocks: [{}, section(id)],
    });
    expect(transformed(answer, { ...reply, detail: { ...reply.detail, replyId: id } })).toMatchObject({
      text: 'A reply arrived.',
      blocks: [{}, section(id), {}],
    });
  });

  it('writes a message of a reply without the number, whatever the reply says', () => {
    const [target] = targetsOf(ruleIn(template, 'SmsEventsOnReplySlack'));
    const text = 'Say "yes",\n<!channel> \\o/';
    const message = transformed(target, { ...reply, detail: { ...reply.detail, text } });
    expect(message).toEqual({
      text: 'A reply arrived.',
      // Slack notifies no one of a mention in plain text.
      blocks: [section('A reply arrived.'), section('r-1'), section(text)],
    });
  });
});
