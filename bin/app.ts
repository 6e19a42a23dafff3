import { join, resolve } from 'node:path';
import { Annotations, App } from 'aws-cdk-lib';
import cdk from '../cdk.json' with { type: 'json' };
import { readSettings } from '../lib/app/read-settings.ts';
import { addPipeline } from '../lib/app/stand-alone.ts';
import { buildFunctions } from '../lib/bundling/build-functions.ts';
import { Contract } from '../lib/props/contract.ts';
import { Keywords } from '../lib/props/keywords.ts';

const root = resolve(import.meta.dirname, '..');

/** The names of errors whose message is enough for a user. Any other error is a defect, and its stack helps to find it. */
const explained = [
  'SettingsError',
  'ContractFileError',
  'KeywordsFileError',
  'BundleError',
  'ValidationFailed',
];

/** Bundles the functions and synthesizes the stacks. */
async function synthesize(): Promise<void> {
  // The app reads cdk.json's context itself, so that it is the same when it runs without the CDK's command line.
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
  const settings = readSettings(app.node.getAllContext());
  const contract = Contract.fromFile(resolve(root, settings.contractFile), 'the setting sms:contractFile');
  const keywords = Keywords.fromFile(resolve(root, settings.keywordsFile), 'the setting sms:keywordsFile');
  const built = await buildFunctions({ root, outdir: join(app.outdir, '.build') });
  const { pipeline } = addPipeline(app, { settings, contract, keywords, built });
  if (settings.alarmTopicArn === undefined)
    Annotations.of(pipeline).addWarningV2(
      'sms-pipeline:no-alarm-topic',
      'No alarm notifies an operator: put the ARN of an SNS topic as sms:alarmTopicArn into "context" in cdk.json.',
    );
  app.synth();
}

try {
  await synthesize();
} catch (error) {
  if (!(error instanceof Error && explained.includes(error.name))) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
