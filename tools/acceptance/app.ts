/** The app of the CDK that acceptance deploys: the stand-alone pipeline, and a stack whose queues receive what it publishes. */
import { join, resolve } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import cdk from '../../cdk.json' with { type: 'json' };
import { explainMistakes } from '../../lib/app/explain-mistakes.ts';
import { SmsPipelineStack } from '../../lib/app/sms-pipeline-stack.ts';
import { buildFunctions } from '../../lib/bundling/build-functions.ts';
import { alarmTopicName, ReceiversStack } from './receivers-stack.ts';

const folder = resolve(import.meta.dirname, '../..');

await explainMistakes(async () => {
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
  const stackName = app.node.getContext('sms:stackName');
  // The CDK sets these.
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  app.node.setContext('sms:alarmTopicArn', `arn:aws:sns:${region}:${account}:${alarmTopicName(stackName)}`);
  const functions = await buildFunctions({ root: folder, outdir: join(app.outdir, '.build') });
  const { pipeline } = new SmsPipelineStack(app, { folder, _functions: functions });
  new ReceiversStack(app, stackName, pipeline);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  app.synth();
});
