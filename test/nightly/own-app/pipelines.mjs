/** Apps whose pipelines are in other places than the usual one, by the setting `place`. */
import { join, resolve } from 'node:path';
import { App, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { buildFunctions } from '../../../lib/bundling/build-functions.ts';
import { Contract, SmsPipeline } from '../../../lib/public/index.ts';

const root = resolve(import.meta.dirname, '../../..');
const outdir = process.env.CDK_OUTDIR ?? join(root, 'cdk.out');
const built = await buildFunctions({ root, outdir: join(outdir, '.build') });

/** The construct, with the functions of these sources. */
class Pipeline extends SmsPipeline {
  _builtFunctions() {
    return built;
  }
}

const app = new App({ analyticsReporting: false, outdir });
const place = app.node.tryGetContext('place');
const stack = new Stack(place === 'stage' ? new Stage(app, 'Prod') : app, 'Shop', {
  env: { account: '123456789012', region: 'eu-west-1' },
});
const parent = place === 'nested' ? new NestedStack(stack, 'Inner') : stack;

function addPipeline(id, props = {}) {
  new Pipeline(parent, id, {
    contract: Contract.fromFile(join(root, 'contract.json')),
    apiKey: Secret.fromSecretNameV2(parent, `${id}Key`, `shop/${id}/api-key`),
    alarms: { enabled: false },
    registration: true,
    ...props,
  });
}

const certificate = Certificate.fromCertificateArn(
  parent,
  'Certificate',
  'arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
);
const mutualTls = { bucket: Bucket.fromBucketName(parent, 'Trust', 'trust'), key: 'ca.pem' };
if (place === 'domain')
  addPipeline('Sms', { webhook: { domain: { name: 'sms.example.com', certificate, mutualTls } } });
else addPipeline('Sms');
if (place === 'two') addPipeline('SmsTwo');
app.synth();
