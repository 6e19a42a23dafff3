import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { shippedContract } from '../../../contract/document/contract-file-store.ts';
import { PipelinePropsError } from '../../../lib/options/pipeline-props-error.ts';
import { Contract, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { quickApp, StubbedPipeline } from './built-app.ts';

export const contract = Contract.fromFile(shippedContract);

/** Adds a pipeline with functions that do nothing. */
export const pipelineIn = (scope: Construct, props: Partial<SmsPipelineProps> = {}, id = 'Sms') =>
  new StubbedPipeline(scope, id, {
    contract,
    apiKey: Secret.fromSecretNameV2(scope, `${id}Key`, 'sms/api-key'),
    ...props,
  });

/** Makes a stack with a pipeline in it. */
export const stackWith = (props: Partial<SmsPipelineProps> = {}) => {
  const stack = new Stack(quickApp(), 'Shop');
  return { stack, pipeline: pipelineIn(stack, props) };
};

/** The alarms of a stack, composite ones too, by logical id. */
export const alarmsIn = (stack: Stack) =>
  ['Alarm', 'CompositeAlarm'].flatMap((kind) =>
    Object.entries(Template.fromStack(stack).findResources(`AWS::CloudWatch::${kind}`)).map(
      ([id, { Properties }]) => [id, Properties] as const,
    ),
  );

/** The lines of the error about wrong props. */
export const problemsOf = (props: Partial<SmsPipelineProps>) => {
  try {
    stackWith(props);
    return [];
  } catch (error) {
    if (!(error instanceof PipelinePropsError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
};

/** A contract that registers at a messaging service of Twilio. */
export const twilioRegistration = (id = `MG${'0'.repeat(32)}`) =>
  Contract.preset('twilio', { registration: { kind: 'twilio-messaging-service', id } });
