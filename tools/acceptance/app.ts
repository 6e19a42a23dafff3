/** The app of the CDK that acceptance deploys: the stand-alone pipeline, and a stack whose queues receive what it publishes. */
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import cdk from '../../cdk.json' with { type: 'json' };
import { readSettings } from '../../lib/app/read-settings.ts';
import { addPipeline } from '../../lib/app/stand-alone.ts';
import { buildFunctions } from '../../lib/bundling/build-functions.ts';
import { Contract } from '../../lib/props/contract.ts';
import { Keywords } from '../../lib/props/keywords.ts';
import { ReceiversStack } from './receivers-stack.ts';

const root = resolve(import.meta.dirname, '../..');
const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
const settings = readSettings(app.node.getAllContext());
const stacks = addPipeline(app, {
  settings,
  contract: Contract.fromFile(resolve(root, settings.contractFile), 'sms:contractFile'),
  keywords: Keywords.fromFile(resolve(root, settings.keywordsFile), 'sms:keywordsFile'),
  built: await buildFunctions({ root, outdir: join(app.outdir, '.build') }),
});
new ReceiversStack(app, `${settings.stackPrefix}-Acceptance`, stacks);
app.synth();
