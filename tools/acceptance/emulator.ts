import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import tls from 'node:tls';
import { generate } from 'selfsigned';
import * as z from 'zod';
import { freePorts } from '../support/free-port.ts';
import { OptionError } from '../support/run-script.ts';
import { until } from '../support/until.ts';

const account = '123456789012';
const region = 'eu-central-1';
const requirements = join(import.meta.dirname, 'emulator-requirements.txt');
const additions = join(import.meta.dirname, 'emulator-additions.py');
const cdkFile = join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');

/** Runs a program, whose output only matters if it fails. @throws Error with that output */
async function runQuietly(program: string, args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const [code] = await once(child, 'close').catch(() => {
    throw new OptionError(`--emulator needs ${program}: install it, and run the command again`);
  });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
}

/** Makes the virtual environment, unless the one that is there has the same versions. @returns its Python */
async function installMiniStack(folder: string): Promise<string> {
  const [environment, installed] = [join(folder, 'venv'), join(folder, 'installed.txt')];
  const python = join(environment, 'bin/python');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return python;
  rmSync(environment, { recursive: true, force: true });
  await runQuietly('python3', ['-m', 'venv', environment]);
  await runQuietly(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  writeFileSync(installed, wanted);
  return python;
}

/** Writes a certificate for the addresses of the services, of every HTTP API and of every distribution. @returns it */
async function writeCertificate(certificateFile: string, keyFile: string): Promise<string> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: '*.execute-api.localhost' },
          { type: 2, value: '*.cloudfront.localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  writeFileSync(certificateFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return cert;
}

/** Sends this process, and those that it starts, to the emulator instead of AWS. */
function connectTo(port: number, certificateFile: string, certificate: string): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    // MiniStack takes the number of an account as the key of its root user.
    AWS_ACCESS_KEY_ID: account,
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: region,
    AWS_ENDPOINT_URL: `https://localhost:${port}`,
    // By an address the SDK names a bucket in the path; by a name it would connect to <bucket>.localhost.
    AWS_ENDPOINT_URL_S3: `https://127.0.0.1:${port}`,
    NODE_EXTRA_CA_CERTS: certificateFile,
    AWS_CA_BUNDLE: certificateFile,
  });
  tls.setDefaultCACertificates([...tls.getCACertificates(), certificate]);
  // Names below localhost are this machine (RFC 6761, section 6.3), but not every resolver knows that.
  const { lookup } = dns;
  const lookupHere = (name: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest]);
  Object.assign(dns, { lookup: lookupHere });
}

/** Returns the address at which the emulator serves a distribution, by the address that it has on AWS. */
export function viewerUrl(url: string): string {
  const { port } = new URL(process.env.AWS_ENDPOINT_URL ?? '');
  return `${url.replace(/\.cloudfront\.net$/, '.cloudfront.localhost')}:${port}`;
}

/** A line of the log that emulator-additions.py writes. */
const decisionSchema = z.object({
  action: z.string(),
  resource: z.string(),
  caller: z.string(),
  isDenied: z.boolean(),
});

export interface Decisions {
  readonly found: string;
  /** The denied calls, each once. */
  readonly broken: readonly string[];
}

/** Summarizes what IAM has decided. */
export function summarizeDecisions(log: string): Decisions {
  const decisions = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => decisionSchema.parse(JSON.parse(line)));
  // The ARN of a role's session has the name of the role between two slashes.
  const callers = new Set(decisions.map(({ caller }) => caller.split('/')[1]));
  const denied = decisions.filter(({ isDenied }) => isDenied);
  const broken = denied.map(
    ({ action, resource, caller }) => `IAM denied ${action} on ${resource} to ${caller}`,
  );
  return {
    found: `${decisions.length} calls of ${callers.size} callers, ${denied.length} denied`,
    broken: [...new Set(broken)],
  };
}

export interface Emulator {
  /** The number of its account. */
  readonly account: string;
  readonly region: string;
  /** Returns what IAM has decided until now. */
  decisions(): Decisions;
}

/**
 * Runs MiniStack, an implementation of AWS that is not ours, with IAM enforced and over TLS, for as long as it is used. This process is
 * connected to it, and has no other connection to AWS afterwards.
 *
 * @param folder for its Python packages and its logs; of two runs at once each needs its own
 */
export async function withEmulator<T>(folder: string, use: (emulator: Emulator) => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const python = await installMiniStack(folder);
  // Outside of the project: its package.json and node_modules must not reach the code of the functions.
  const state = mkdtempSync(join(tmpdir(), 'sms-emulator-'));
  const [certificateFile, keyFile] = [join(state, 'certificate.pem'), join(state, 'key.pem')];
  const [log, decisionsFile] = [join(folder, 'log.txt'), join(folder, 'iam.jsonl')];
  rmSync(decisionsFile, { force: true });
  const certificate = await writeCertificate(certificateFile, keyFile);
  const port = await freePorts();
  const output = openSync(log, 'w');
  // It ends itself and all functions when this process closes its input, or ends.
  const child = spawn(python, [additions], {
    stdio: ['pipe', output, output],
    env: {
      // Functions run with the Node of this process.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: state,
      TMPDIR: state,
      STATE_DIR: state,
      S3_DATA_DIR: join(state, 's3'),
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: 'localhost',
      // A request without a signature, as a webhook's, belongs to this account.
      MINISTACK_ACCOUNT_ID: account,
      MINISTACK_REGION: region,
      IOT_MTLS_ENABLED: '0',
      AUTH: 'true',
      IAM_DECISIONS: decisionsFile,
      USE_SSL: '1',
      MINISTACK_SSL_CERT: certificateFile,
      MINISTACK_SSL_KEY: keyFile,
    },
  });
  const ended = once(child, 'close');
  try {
    connectTo(port, certificateFile, certificate);
    await until('MiniStack answers', async () => {
      if (child.exitCode !== null) throw new Error(`MiniStack ended: ${readFileSync(log, 'utf8')}`);
      return await fetch(`https://localhost:${port}/_ministack/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    const bootstrap = ['bootstrap', `aws://${account}/${region}`];
    await runQuietly(process.execPath, [cdkFile, ...bootstrap], state);
    const decisions = () => summarizeDecisions(readFileSync(decisionsFile, 'utf8'));
    return await use({ account, region, decisions });
  } finally {
    child.stdin?.end();
    await ended;
    rmSync(state, { recursive: true });
  }
}
