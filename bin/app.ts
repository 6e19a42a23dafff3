import { join, resolve } from 'node:path';
import cdk from '../cdk.json' with { type: 'json' };
import { explainMistakes } from '../lib/app/explain-mistakes.ts';
import { buildFunctions } from '../lib/bundling/build-functions.ts';

const folder = resolve(import.meta.dirname, '..');

await explainMistakes(async () => {
  // The CDK's command line and the local run name the folder; without them it is the CDK's usual one.
  const outdir = process.env.CDK_OUTDIR ?? join(folder, 'cdk.out');
  // esbuild bundles the functions while this process loads the CDK.
  const [functions, { App, Validations }, { AwsSolutionsChecks, ServerlessChecks }, { SmsPipelineStack }] =
    await Promise.all([
      buildFunctions({ root: folder, outdir: join(outdir, '.build') }),
      import('aws-cdk-lib'),
      import('cdk-nag'),
      import('../lib/app/sms-pipeline-stack.ts'),
    ]);
  // The app reads cdk.json's context itself, so that it is the same when it runs without the CDK's command line.
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false, outdir });
  new SmsPipelineStack(app, { folder, _functions: functions });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  app.synth();
});
