import type { CreateResource, ResourceTypes } from '../cloudformation/deploy-stack.ts';
import { httpApiCreators } from './api-gateway/resources.ts';
import { logGroupCreator, metricFilterCreator } from './cloudwatch-logs/resources.ts';
import { customResourceCreator } from './custom-resources/resources.ts';
import { tableCreator } from './dynamodb/resources.ts';
import { eventArchiveCreator, eventBusCreator } from './event-bridge/resources.ts';
import { ruleCreator } from './event-bridge/rules.ts';
import { policyCreator, roleCreator } from './iam/resources.ts';
import { eventSourceMappingCreator } from './lambda/event-source-mappings.ts';
import { eventInvokeConfigCreator, functionCreator } from './lambda/resources.ts';
import type { Runtime } from './runtime.ts';
import { secretCreator } from './secrets-manager/resources.ts';
import { subscriptionCreator, topicCreator } from './sns/resources.ts';
import { queueCreator } from './sqs/resources.ts';

/**
 * Types that have no meaning on one machine: who else may do what, when somebody is alarmed.
 * Any other type that is not made here stops the start, so that nothing is left out unnoticed.
 */
const INERT_TYPES: ReadonlySet<string> = new Set([
  'AWS::CDK::Metadata',
  'AWS::CloudFormation::WaitConditionHandle',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::EventSchemas::Registry',
  'AWS::EventSchemas::Schema',
  'AWS::Events::EventBusPolicy',
  'AWS::Lambda::Permission',
  'AWS::SecretsManager::ResourcePolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
]);

/** How the resource types of the templates are made with the services of this machine. */
export function resourceTypes(runtime: Runtime): ResourceTypes {
  const creators: Readonly<Record<string, CreateResource>> = {
    'AWS::IAM::Role': roleCreator(runtime),
    'AWS::IAM::Policy': policyCreator(runtime),
    'AWS::Logs::LogGroup': logGroupCreator,
    'AWS::Logs::MetricFilter': metricFilterCreator(runtime),
    'AWS::DynamoDB::Table': tableCreator(runtime),
    'AWS::SQS::Queue': queueCreator(runtime),
    'AWS::SecretsManager::Secret': secretCreator(runtime),
    'AWS::SNS::Topic': topicCreator(runtime),
    'AWS::SNS::Subscription': subscriptionCreator(runtime),
    'AWS::Lambda::Function': functionCreator(runtime),
    'AWS::Lambda::EventSourceMapping': eventSourceMappingCreator(runtime),
    'AWS::Lambda::EventInvokeConfig': eventInvokeConfigCreator(runtime),
    'AWS::Events::Archive': eventArchiveCreator(runtime),
    'AWS::Events::EventBus': eventBusCreator(runtime),
    'AWS::Events::Rule': ruleCreator(runtime),
    'AWS::CloudFormation::CustomResource': customResourceCreator(runtime),
    ...httpApiCreators(runtime),
  };
  const custom = customResourceCreator(runtime);
  return {
    creator: (type) => (type.startsWith('Custom::') ? custom : creators[type]),
    isInert: (type) => INERT_TYPES.has(type),
  };
}
