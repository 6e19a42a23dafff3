import { CfnParameter, Duration, Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import type { Option } from '../../lib/options/option-kinds.ts';
import { pathOf, rowsOf } from '../../lib/options/option-table.ts';
import { Automation, type SmsPipelineProps, Target } from '../../lib/public/index.ts';
import { quickApp } from '../infra/support/built-app.ts';
import { pipelineIn } from '../infra/support/own-pipeline.ts';

const numberIn = (stack: Stack) => new CfnParameter(stack, 'Number', { type: 'Number' }).valueAsNumber;
const textIn = (stack: Stack) => new CfnParameter(stack, 'Text').valueAsString;

it('props may be known at deployment only', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const parameter = (id: string, type = 'String') => new CfnParameter(stack, id, { type });
  const days = parameter('Days', 'Number').valueAsNumber;
  pipelineIn(stack, {
    alarms: { topic: Topic.fromTopicArn(stack, 'Topic', parameter('TopicArn').valueAsString) },
    apiKey: Secret.fromSecretCompleteArn(stack, 'Key', parameter('KeyArn').valueAsString),
    serviceBaseUrl: parameter('Service').valueAsString,
    retention: Duration.days(days),
    listShards: parameter('Shards', 'Number').valueAsNumber,
    webhook: {
      domain: {
        name: parameter('Domain').valueAsString,
        certificate: Certificate.fromCertificateArn(stack, 'Cert', parameter('CertArn').valueAsString),
        mutualTls: {
          bucket: Bucket.fromBucketName(stack, 'Truststore', parameter('Bucket').valueAsString),
          key: parameter('TruststoreKey').valueAsString,
        },
      },
      allowedSources: parameter('Sources', 'CommaDelimitedList').valueAsList,
      ratePerSecond: parameter('Rate', 'Number').valueAsNumber,
    },
    automations: [Automation.forward({ url: parameter('Url').valueAsString })],
  });
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('listShards'));
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: Match.objectLike({ RETENTION_DAYS: { Ref: 'Days' }, LIST_SHARDS: { Ref: 'Shards' } }),
    },
  });
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ FORWARD_URL: { Ref: 'Url' } }) },
  });
  const alarms = template.findResources('AWS::CloudWatch::Alarm');
  const [near] = Object.entries(alarms).filter(([id]) => id.includes('RequestsNearThrottle'));
  expect(near?.[1].Properties.Metrics[0].Expression).toEqual({
    'Fn::Join': ['', ['100 * requests / (60 * ', { Ref: 'Rate' }, ')']],
  });
  // A number that became a text would look like -1.8881545897087503e+289.
  expect(JSON.stringify(template.toJSON())).not.toMatch(/e\+289|\$\{Token\[/);
});

it.each<[string, (stack: Stack) => Partial<SmsPipelineProps>]>([
  ['tables.recovery', (stack) => ({ tables: { recovery: Duration.days(numberIn(stack)) } })],
  ['worker.timeout', (stack) => ({ worker: { timeout: Duration.seconds(numberIn(stack)) } })],
  ['worker.batchWindow', (stack) => ({ worker: { batchWindow: Duration.seconds(numberIn(stack)) } })],
  ['events.archive', (stack) => ({ events: { archive: Duration.days(numberIn(stack)) } })],
  ['functions.memorySize', (stack) => ({ functions: { memorySize: numberIn(stack) } })],
  ['events.accounts', (stack) => ({ events: { accounts: Fn.split(',', textIn(stack)) } })],
  ['console.oidc.issuer', (stack) => ({ console: { oidc: { issuer: textIn(stack), clientId: 'console' } } })],
  [
    'automations.failureAlert.period',
    (stack) => ({ automations: [Automation.failureAlert({ period: Duration.minutes(numberIn(stack)) })] }),
  ],
  ['removalPolicy', (stack) => ({ removalPolicy: textIn(stack) as RemovalPolicy })],
])('%s cannot be known at deployment only', (prop, propsIn) => {
  const stack = new Stack(quickApp(), 'Shop');
  expect(() => pipelineIn(stack, propsIn(stack))).toThrow(
    `are wrong:\n  ${prop}: found a token of CDK, whose value is known at deployment only, expected`,
  );
});

it.each([
  [{ ratePerSecond: 1000 }, 1, undefined],
  [{ ratePerSecond: 2500 }, 1, 'accept 1000 events a second.*to 3:'],
  [{ ratePerSecond: 2500 }, 2, 'accept 2000 events a second.*to 3:'],
  [{ ratePerSecond: 2500 }, 3, undefined],
])('a webhook of %j with %i list shards warns: %s', (webhook, listShards, warning) => {
  const stack = new Stack(quickApp(), 'Shop');
  pipelineIn(stack, { webhook, listShards });
  const annotations = Annotations.fromStack(stack);
  if (warning === undefined) annotations.hasNoWarning('*', Match.stringLikeRegexp('listShards'));
  else annotations.hasWarning('*', Match.stringLikeRegexp(warning));
});

/** A number or a duration of the table, with a value that it may have. */
interface NumberRow {
  readonly path: string;
  readonly option: Option;
  readonly value: number;
}

const groups = [
  'pipeline',
  'tables',
  'webhook',
  'worker',
  'events',
  'exports',
  'insights',
  'functions',
  'alarms.overrides',
  'automations.failureAlert',
] as const;

const numberRows: readonly NumberRow[] = groups.flatMap((group) =>
  rowsOf(group).flatMap(([name, row]) => {
    if (row.kind !== 'option' || !/^a (number|Duration)/.test(row.shape.expected)) return [];
    const value = [2, 14, 40, 300].find((one) => {
      let isWrong = false;
      row.check(row.toProp(one), () => {
        isWrong = true;
      });
      return !isWrong;
    });
    if (value === undefined) throw new Error(`no value for ${group}.${name}`);
    return [{ path: pathOf(group, name), option: row, value }];
  }),
);

/** The props with a value at a path. */
function propsWith(path: string, value: unknown): Partial<SmsPipelineProps> {
  const parts = path.split('.');
  const name = parts.at(-1) ?? '';
  if (path.startsWith('automations.')) return { automations: [Automation.failureAlert({ [name]: value })] };
  if (path.startsWith('alarms.'))
    return { alarms: { overrides: { RequestsRejected: { evaluationPeriods: 14, [name]: value } } } };
  const [group = ''] = parts;
  return parts.length === 1 ? { [path]: value } : { [group]: { [name]: value } };
}

/** The template of a pipeline with these props, in a stack with the parameter. */
function templateWith(propsIn: (parameter: number) => Partial<SmsPipelineProps>): unknown {
  const stack = new Stack(quickApp(), 'Shop');
  const pipeline = pipelineIn(stack, {
    exports: {},
    staleAfter: Duration.hours(1),
    ...propsIn(numberIn(stack)),
  });
  pipeline.events.onOptIn(Target.sqs(new Queue(stack, 'OptIns')));
  return Template.fromStack(stack).toJSON();
}

/** Puts a value in the place of the parameter, and joins texts. Every number becomes a text, as in the environment of a function. */
function substituted(node: unknown, value: number): unknown {
  if (typeof node !== 'object' || node === null) return String(node);
  if (Array.isArray(node)) return node.map((item) => substituted(item, value));
  const entries = Object.entries(node);
  if ('Ref' in node && node.Ref === 'Number') return String(value);
  const made = Object.fromEntries(
    entries.filter(([key]) => key !== 'Parameters').map(([key, item]) => [key, substituted(item, value)]),
  );
  const join: unknown = made['Fn::Join'];
  if (!Array.isArray(join)) return made;
  const [separator, items] = join;
  return items.every((item: unknown) => typeof item === 'string') ? items.join(separator) : made;
}

it.each(numberRows)(
  '$path computes with a parameter as with the number, or refuses it by name',
  ({ path, option, value }) => {
    let template: unknown;
    try {
      template = templateWith((parameter) => propsWith(path, option.toProp(parameter)));
    } catch (error) {
      expect(String(error)).toContain(`${path}: found a token`);
      return;
    }
    expect(substituted(template, value)).toEqual(
      substituted(
        templateWith(() => propsWith(path, option.toProp(value))),
        value,
      ),
    );
  },
);

it('no message prints the number that stands for a token', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const rotateAfter = Duration.days(numberIn(stack));
  expect(() => pipelineIn(stack, { registration: false, webhook: { rotateAfter } })).toThrow(
    'webhook.rotateAfter: found a token of CDK, whose value is known at deployment only, expected nothing',
  );
});

it('the retries of a subscription may be known at deployment only, also in the text of its alarm', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const parameter = (id: string) => new CfnParameter(stack, id, { type: 'Number' }).valueAsNumber;
  pipelineIn(stack).events.onOptIn(Target.sqs(new Queue(stack, 'OptIns')), {
    maxEventAge: Duration.seconds(parameter('Age')),
    retryAttempts: parameter('Retries'),
  });
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::Events::Rule', {
    Targets: [
      Match.objectLike({
        RetryPolicy: { MaximumEventAgeInSeconds: { Ref: 'Age' }, MaximumRetryAttempts: { Ref: 'Retries' } },
      }),
    ],
  });
  const alarms = JSON.stringify(template.findResources('AWS::CloudWatch::Alarm'));
  expect(alarms).toContain(
    'could not be reached for ",{"Ref":"Age"}," seconds or ",{"Ref":"Retries"}," retries',
  );
  expect(alarms).not.toMatch(/e\+28/);
});
