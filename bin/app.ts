import { join, resolve } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import cdk from '../cdk.json' with { type: 'json' };
import { explainMistakes } from '../lib/app/explain-mistakes.ts';
import { addStandAlonePipeline } from '../lib/app/stand-alone.ts';
import { buildFunctions } from '../lib/bundling/build-functions.ts';

const folder = resolve(import.meta.dirname, '..');

await explainMistakes(async () => {
  // The app reads cdk.json's context itself, so that it is the same when it runs without the CDK's command line.
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
  const functions = await buildFunctions({ root: folder, outdir: join(app.outdir, '.build') });
  addStandAlonePipeline(app, { folder, functions });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  app.synth();
});
