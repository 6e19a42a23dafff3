import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { signRequest } from '../../../contract/signature/sign.ts';
import { synthesize } from '../../../local/cloudformation/synthesize.ts';
import { hostEnvironment } from '../../../local/function-hosts/environment.ts';
import { bodyOf, courseOf } from '../../engine/reports.ts';
import { shippedContract } from '../../support/contracts.ts';
import { type DeployedFunction, functionsIn } from '../../support/deployed-function.ts';
import { httpApiEvent } from '../../support/lambda-events.ts';
import { median } from '../../support/statistics.ts';
import type { Figure } from '../figure.ts';
import { startAwsStandIns } from './aws-stand-in.ts';
import { buildVariants, type VariantName, variantNames } from './start-variants.ts';

const root = resolve(import.meta.dirname, '../../..');
const secret = `whsec_${Buffer.from('a secret that the bench made up').toString('base64')}`;

/** Processor time of a process from its start until its first answer, milliseconds. Other load on the machine changes it less than a duration. */
type Samples = Record<VariantName, number[]>;

/** Starts each variant in turn, each time in a process of its own, and gives it one signed request. */
export async function measureStarts(folder: string, rounds: number): Promise<Figure[]> {
  const assembly = join(folder, 'cdk.out');
  await synthesize(root, assembly, {});
  const ingest = functionsIn(assembly).get('ingest');
  if (ingest === undefined) throw new Error('the templates have no function ingest');
  const variants = await buildVariants(root, join(folder, 'variants'), ingest.folder);
  const certificate = join(folder, 'certificate.pem');
  // Two hosts, as on AWS: one would let the second call use the connection of the first.
  const [secrets, queue] = await startAwsStandIns(secret, certificate);
  const environment = { ...environmentOf(ingest, secrets.url, queue.url), NODE_EXTRA_CA_CERTS: certificate };
  const samples: Samples = { empty: [], withoutSdk: [], sendOnly: [], deployed: [], esbuildDefaults: [] };
  try {
    // The first round brings the files into the cache of the system.
    for (let round = 0; round <= rounds; round++)
      for (const name of variantNames) {
        const cpuMs = await startOnce(variants[name].folder, environment);
        if (round > 0) samples[name].push(cpuMs);
      }
  } finally {
    await Promise.all([secrets.stop(), queue.stop()]);
  }
  for (const name of variantNames)
    console.log(
      `start ${name}: ${(variants[name].bytes / 1000).toFixed(0)} kB, ${median(samples[name]).toFixed(1)} ms of CPU`,
    );
  return figuresOf(samples);
}

/** The values of ingest's template; what is known at deployment only is an address at the stand-in. */
function environmentOf({ environment, memoryMiB, folder }: DeployedFunction, secrets: string, queue: string) {
  const values = Object.entries(environment).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : `${queue}/000000000000/queue`,
  ]);
  const definition = {
    name: 'ingest',
    label: 'ingest',
    accessKeyId: 'bench',
    handler: 'index.handler',
    codeDirectory: folder,
    timeoutSeconds: 30,
    memoryMegabytes: memoryMiB,
    jsonLogs: { applicationLevel: 'INFO' },
    environment: Object.fromEntries(values),
  };
  return hostEnvironment(definition, { SECRETS_MANAGER: secrets, SQS: queue });
}

let requests = 0;

/** A signed request as API Gateway gives it to ingest. */
function signedEvent(url: string) {
  requests += 1;
  const [report] = courseOf(`start-${requests}`);
  if (report === undefined) throw new Error('a message without a report');
  const body = Buffer.from(JSON.stringify(bodyOf(report)));
  const signed = { body, id: `start-${requests}`, now: Date.now(), url };
  const headers = signRequest(shippedContract.webhook.signature, signed, secret);
  return httpApiEvent({
    body: String(body),
    headers: { ...headers, 'content-type': 'application/json' },
  });
}

const answered = z.object({ answer: z.object({ statusCode: z.number() }), cpuMs: z.number() });

/** @returns the processor time, milliseconds. @throws Error if the function answers anything but 200 */
async function startOnce(folder: string, env: Record<string, string>): Promise<number> {
  const child = fork(join(import.meta.dirname, 'function-process.mjs'), [folder], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.send(signedEvent(env.WEBHOOK_URL ?? ''));
  const [message] = await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`${folder} ended with exit code ${code}`))),
  ]);
  child.disconnect();
  await exited;
  const { answer, cpuMs } = answered.parse(message);
  if (answer.statusCode !== 200) throw new Error(`${folder} answered ${answer.statusCode}`);
  return cpuMs;
}

function figuresOf(samples: Samples): Figure[] {
  // Of each round, because what else the machine did then affected all variants alike.
  const ratio = (of: VariantName, to: VariantName) =>
    median(
      samples[of].map((value, round) => {
        const least = samples.empty[round] ?? Number.NaN;
        return (value - least) / ((samples[to][round] ?? Number.NaN) - least);
      }),
    );
  const above = 'CPU above an empty handler';
  return [
    {
      name: `cold start of ingest, ${above}, by that of esbuild's defaults`,
      value: ratio('deployed', 'esbuildDefaults'),
      target: 0.7,
      unit: '',
    },
    {
      name: 'the same, by that of a function that only sends to SQS',
      value: ratio('deployed', 'sendOnly'),
      target: 1.4,
      unit: '',
    },
    {
      name: 'the same, by that of the two calls of ingest without the SDK, which is the least',
      value: ratio('deployed', 'withoutSdk'),
      target: 2.5,
      unit: '',
    },
  ];
}
