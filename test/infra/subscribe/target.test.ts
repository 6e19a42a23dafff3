import { CfnParameter, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventField, HttpMethod, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { KinesisStream } from 'aws-cdk-lib/aws-events-targets';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Function as CdkFunction, Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describe, expect, it } from 'vitest';
import { type ApiDestinationProps, SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp, resource, resourcesOf } from '../support/built-app.ts';
import { userStack } from './support.ts';

const ruleType = 'AWS::Events::Rule';
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

function functionIn(stack: Stack) {
  return new CdkFunction(stack, 'Work', {
    code: Code.fromInline('exports.handler = async () => {}'),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
  });
}

describe('Target.lambda', () => {
  const { stack, pipeline, template } = userStack();
  const fn = functionIn(stack);
  pipeline.onOptOut(Target.lambda(fn));
  pipeline.onOptIn(Target.lambda(fn));
  const made = template();
  const work = resource(made, 'AWS::Lambda::Function');

  it('may be invoked only by its rules', () => {
    const permissions = Object.values(resourcesOf(made, 'AWS::Lambda::Permission'));
    expect(permissions.map(({ Properties }) => Properties.SourceArn)).toEqual(
      Object.keys(resourcesOf(made, ruleType)).map(arnOf),
    );
    for (const { Properties } of permissions)
      expect(Properties).toMatchObject({
        Action: 'lambda:InvokeFunction',
        FunctionName: arnOf(work.id),
        Principal: 'events.amazonaws.com',
      });
  });

  it('keeps its asynchronous configuration, which may send failed events to the dead-letter queue of a subscription', () => {
    made.resourceCountIs('AWS::Lambda::EventInvokeConfig', 0);
    const own = userStack();
    const configured = functionIn(own.stack);
    const { deadLetterQueue } = own.pipeline.onDeliveryFailed(Target.lambda(configured));
    configured.configureAsyncInvoke({ onFailure: new SqsDestination(deadLetterQueue) });
    const queue = resource(own.template(), 'AWS::SQS::Queue', 'SmsEventsOnDeliveryFailedWork');
    expect(resource(own.template(), 'AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      DestinationConfig: { OnFailure: { Destination: arnOf(queue.id) } },
    });
  });

  it('may be a function of another stack of the app, without a cyclic dependency', () => {
    const other = userStack();
    const functions = new Stack(other.app, 'Functions');
    other.pipeline.onOptOut(Target.lambda(functionIn(functions)));
    const assembly = other.app.synth();
    expect(other.stack.dependencies).toEqual([functions]);
    expect(functions.dependencies).toEqual([]);
    const [rules, made] = [other.stack, functions].map(({ artifactId }) =>
      Template.fromJSON(assembly.getStackArtifact(artifactId).template),
    );
    made?.resourceCountIs('AWS::Lambda::EventInvokeConfig', 0);
    rules?.resourceCountIs('AWS::Lambda::Permission', 1);
    rules?.hasResourceProperties(ruleType, {
      Targets: [
        {
          Arn: { 'Fn::ImportValue': Match.stringLikeRegexp('^Functions:') },
          DeadLetterConfig: Match.anyValue(),
          RetryPolicy: { MaximumEventAgeInSeconds: 24 * 3600, MaximumRetryAttempts: 185 },
        },
      ],
    });
  });

  it.each([
    ['without a role', false],
    ['with its role', true],
  ])('may be imported, %s, and keeps its configuration', (_, hasRole) => {
    const other = userStack();
    const role = Role.fromRoleArn(other.stack, 'Role', 'arn:aws:iam::000000000000:role/work');
    const imported = CdkFunction.fromFunctionAttributes(other.stack, 'Imported', {
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:work',
      sameEnvironment: true,
      ...(hasRole ? { role } : {}),
    });
    other.pipeline.onOptOut(Target.lambda(imported));
    const made = other.template();
    made.resourceCountIs('AWS::Lambda::EventInvokeConfig', 0);
    made.resourceCountIs('AWS::IAM::Policy', 0);
    expect(resource(made, ruleType).Properties.Targets).toMatchObject([
      { Arn: imported.functionArn, DeadLetterConfig: { Arn: arnOf(resource(made, 'AWS::SQS::Queue').id) } },
    ]);
  });
});

describe('Target.sqs and Target.sns', () => {
  const { stack, pipeline, template } = userStack();
  pipeline.onOptOut(Target.sqs(new Queue(stack, 'Inbox')));
  pipeline.onOptIn(Target.sns(new Topic(stack, 'News')));
  const made = template();

  it('may be written to by the rule', () => {
    const rule = resource(made, ruleType, 'SmsEventsOnOptOutInbox');
    expect(rule.Properties.Targets).toMatchObject([
      { Arn: arnOf(resource(made, 'AWS::SQS::Queue', 'Inbox').id) },
    ]);
    expect(resource(made, 'AWS::SQS::QueuePolicy', 'Inbox').Properties).toMatchObject({
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: expect.arrayContaining(['sqs:SendMessage']),
            Principal: { Service: 'events.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': arnOf(rule.id) } },
          },
        ],
      },
    });
  });

  it('may be published to by EventBridge', () => {
    expect(resource(made, ruleType, 'SmsEventsOnOptInNews').Properties.Targets).toMatchObject([
      { Arn: { Ref: resource(made, 'AWS::SNS::Topic').id } },
    ]);
    expect(resource(made, 'AWS::SNS::TopicPolicy').Properties).toMatchObject({
      PolicyDocument: {
        Statement: [
          { Effect: 'Allow', Action: 'sns:Publish', Principal: { Service: 'events.amazonaws.com' } },
        ],
      },
    });
  });
});

describe('Target.stepFunctions', () => {
  it('is started by a role that may only start it', () => {
    const { stack, pipeline, template } = userStack();
    const definitionBody = DefinitionBody.fromChainable(new Pass(stack, 'Pass'));
    pipeline.onReply(Target.stepFunctions(new StateMachine(stack, 'Flow', { definitionBody })));
    const made = template();
    const { id } = resource(made, 'AWS::StepFunctions::StateMachine');
    const role = resource(made, 'AWS::IAM::Role', 'FlowEventsRole');
    expect(resource(made, ruleType).Properties.Targets).toMatchObject([
      { Arn: { Ref: id }, RoleArn: arnOf(role.id) },
    ]);
    expect(resource(made, 'AWS::IAM::Policy', 'FlowEventsRole').Properties).toMatchObject({
      PolicyDocument: {
        Statement: [{ Effect: 'Allow', Action: 'states:StartExecution', Resource: { Ref: id } }],
      },
    });
  });
});

describe('Target.apiDestination', () => {
  const { stack, pipeline, template } = userStack();
  const secret = Secret.fromSecretNameV2(stack, 'Key', 'crm/key');
  const common = { keyHeader: 'x-api-key', keySecret: secret, rateLimitPerSecond: 5 };
  pipeline.onOptOut(Target.apiDestination({ ...common, url: 'https://crm.test/opt-outs', id: 'Crm' }));
  pipeline.onOptIn(
    Target.apiDestination({
      url: 'https://crm.test/opt-ins',
      method: HttpMethod.PUT,
      keyHeader: common.keyHeader,
      keySecret: secret,
      keyField: 'key',
      rateLimitPerSecond: 300,
      event: RuleTargetInput.fromObject({ contact: EventField.fromPath('$.detail.phone'), sms: true }),
    }),
  );
  const made = template();
  const connection = (prefix: string) => resource(made, 'AWS::Events::Connection', prefix);

  it('posts to the URL no faster than allowed, or as configured', () => {
    expect(resource(made, 'AWS::Events::ApiDestination', 'SmsEventsOnOptOutCrm').Properties).toEqual({
      ConnectionArn: arnOf(connection('SmsEventsOnOptOutCrm').id),
      HttpMethod: 'POST',
      InvocationEndpoint: 'https://crm.test/opt-outs',
      InvocationRateLimitPerSecond: 5,
    });
    expect(
      resource(made, 'AWS::Events::ApiDestination', 'SmsEventsOnOptInApiDestination').Properties,
    ).toMatchObject({
      HttpMethod: 'PUT',
      InvocationEndpoint: 'https://crm.test/opt-ins',
      InvocationRateLimitPerSecond: 300,
    });
  });

  it('sends the whole event, or the body that is made of it', () => {
    const targetOf = (id: string) => [resource(made, ruleType, id).Properties.Targets].flat()[0];
    expect(targetOf('SmsEventsOnOptOutCrm')).not.toHaveProperty('InputTransformer');
    expect(targetOf('SmsEventsOnOptInApiDestination')).toMatchObject({
      InputTransformer: {
        InputPathsMap: { 'detail-phone': '$.detail.phone' },
        InputTemplate: '{"contact":<detail-phone>,"sms":true}',
      },
    });
  });

  it('reads the key from the secret at deployment, so that the template does not contain it', () => {
    const keyOf = (prefix: string) => JSON.stringify(connection(prefix).Properties);
    expect(connection('SmsEventsOnOptOutCrm').Properties).toMatchObject({
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-api-key' } },
    });
    expect(keyOf('SmsEventsOnOptOutCrm')).toMatch(/\{\{resolve:secretsmanager:crm\/key:SecretString:::\}\}/);
    expect(keyOf('SmsEventsOnOptInApiDestination')).toMatch(/:crm\/key:SecretString:key::\}\}/);
  });

  it('finds a secret whose name ends like an ARN, which Secrets Manager would take for a complete one', () => {
    const own = userStack();
    const keySecret = Secret.fromSecretNameV2(own.stack, 'Key', 'my-secret');
    own.pipeline.onOptIn(Target.apiDestination({ ...common, keySecret, url: 'https://crm.test/' }));
    const { Properties } = resource(own.template(), 'AWS::Events::Connection');
    expect(JSON.stringify(Properties)).toContain('{{resolve:secretsmanager:my-secret:SecretString:::}}');
  });

  it.each<[string, Partial<ApiDestinationProps>, string]>([
    ['http', { url: 'http://crm.test/' }, 'url: found one that begins with http:, expected an https URL'],
    ['no URL', { url: 'crm.test' }, 'url: found a text, expected an https URL'],
    [
      'a blank in the header',
      { keyHeader: 'x api-key' },
      'keyHeader: found a text, expected the name of a header',
    ],
    ['a colon in the header', { keyHeader: 'x-api-key:' }, 'keyHeader: found a text, expected the name'],
    [
      'a rate of 0',
      { rateLimitPerSecond: 0 },
      'rateLimitPerSecond: found the number 0, expected a whole number',
    ],
    ['a rate of 301', { rateLimitPerSecond: 301 }, 'rateLimitPerSecond: found the number 301, expected'],
    ['half a call', { rateLimitPerSecond: 1.5 }, 'rateLimitPerSecond: found the number 1.5, expected'],
  ])('refuses %s, which would fail at deployment', (_, wrong, line) => {
    expect(() => Target.apiDestination({ ...common, url: 'https://crm.test/', ...wrong })).toThrow(
      `Target.apiDestination is wrong:\n  ${line}`,
    );
  });

  it('refuses a secret of another region', () => {
    const other = new Stack(quickApp(), 'Other', { env: { account: '000000000000', region: 'eu-west-1' } });
    const bus = SmsPipeline.fromAttributes(other, 'Sms', { pipelineName: 'Sms', eventBusName: 'sms-bus' });
    const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:crm/key-AbCdEf';
    const keySecret = Secret.fromSecretCompleteArn(other, 'Key', arn);
    expect(() =>
      bus.events.onOptIn(Target.apiDestination({ ...common, keySecret, url: 'https://crm.test/' })),
    ).toThrow('keySecret: found a secret in us-east-1, expected one in eu-west-1');
  });

  it('accepts what is known at deployment only', () => {
    const own = userStack();
    const text = (id: string, type = 'String') => new CfnParameter(own.stack, id, { type });
    own.pipeline.onOptIn(
      Target.apiDestination({
        keySecret: Secret.fromSecretNameV2(own.stack, 'Key', text('Name').valueAsString),
        url: text('Url').valueAsString,
        keyHeader: text('Header').valueAsString,
        rateLimitPerSecond: text('Rate', 'Number').valueAsNumber,
      }),
    );
    const { Properties } = resource(own.template(), 'AWS::Events::ApiDestination');
    expect(Properties).toMatchObject({ InvocationRateLimitPerSecond: { Ref: 'Rate' } });
  });

  it('is called by a role that may only call it', () => {
    const destination = resource(made, 'AWS::Events::ApiDestination', 'SmsEventsOnOptOutCrm');
    const role = resource(made, 'AWS::IAM::Role', 'SmsEventsOnOptOutCrm');
    expect(resource(made, ruleType, 'SmsEventsOnOptOutCrm').Properties.Targets).toMatchObject([
      { Arn: arnOf(destination.id), RoleArn: arnOf(role.id) },
    ]);
    expect(resource(made, 'AWS::IAM::Policy', 'SmsEventsOnOptOutCrm').Properties).toMatchObject({
      PolicyDocument: {
        Statement: [
          { Effect: 'Allow', Action: 'events:InvokeApiDestination', Resource: arnOf(destination.id) },
        ],
      },
    });
  });
});

describe('a target of aws-cdk-lib', () => {
  it('gets the retries and the dead-letter queue of the subscription, unless it has its own', () => {
    const { stack, pipeline, template } = userStack();
    const own = new Queue(stack, 'Own');
    pipeline.onHelp(new KinesisStream(new Stream(stack, 'Stream')));
    pipeline.onOptOut(
      new KinesisStream(new Stream(stack, 'Other'), { deadLetterQueue: own, retryAttempts: 3 }),
      {
        id: 'Other',
      },
    );
    const made = template();
    const targetOf = (id: string) => [resource(made, ruleType, id).Properties.Targets].flat()[0];
    const queue = resource(made, 'AWS::SQS::Queue', 'SmsEventsOnHelpTarget');
    expect(targetOf('SmsEventsOnHelpTarget')).toMatchObject({
      DeadLetterConfig: { Arn: arnOf(queue.id) },
      RetryPolicy: { MaximumEventAgeInSeconds: 24 * 3600, MaximumRetryAttempts: 185 },
    });
    expect(targetOf('SmsEventsOnOptOutOther')).toMatchObject({
      DeadLetterConfig: { Arn: arnOf(resource(made, 'AWS::SQS::Queue', 'Own').id) },
      RetryPolicy: { MaximumRetryAttempts: 3 },
    });
    const policy = resource(made, 'AWS::SQS::QueuePolicy', 'SmsEventsOnHelpTarget');
    expect(JSON.stringify(policy.Properties)).toContain(
      JSON.stringify({
        ArnEquals: { 'aws:SourceArn': arnOf(resource(made, ruleType, 'SmsEventsOnHelpTarget').id) },
      }),
    );
  });

  it('needs a name where two would have the same', () => {
    const { stack, pipeline } = userStack();
    const target = () => new KinesisStream(new Stream(stack, `Stream${stack.node.children.length}`));
    pipeline.onHelp(target());
    expect(() => pipeline.onHelp(target())).toThrow(
      /subscription "Target" already; give this one a permanent name/,
    );
  });
});

describe('a target that EventBridge would reject, or that is no target, is refused', () => {
  it.each<[string, (stack: Stack) => Target]>([
    [
      'Target.sqs: Default/Jobs is a FIFO queue',
      (stack) => Target.sqs(new Queue(stack, 'Jobs', { fifo: true })),
    ],
    [
      'Target.sns: Default/News is a FIFO topic',
      (stack) => Target.sns(new Topic(stack, 'News', { fifo: true })),
    ],
    ['Target.lambda: found a text, expected a function', () => Target.lambda('crm' as never)],
    ['Target.lambda: found undefined, expected', () => Target.lambda(undefined as never)],
    [
      'Target.sqs: found an object, expected a queue',
      (stack) => Target.sqs(new Topic(stack, 'Jobs') as never),
    ],
    [
      'Target.apiDestination: keySecret: found a text, expected a secret',
      () => Target.apiDestination({ url: 'https://crm.test', keySecret: 'crm/key' } as never),
    ],
  ])('%s', (problem, make) => {
    expect(() => make(new Stack())).toThrow(problem);
  });
});
