import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, startProxy } from '../support/proxy.ts';

const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sms-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const outputs = {
  WebhookUrl: 'https://hooks.example.com/webhooks/sms',
  HistoryTableName: 'history',
  LookupFunctionName: 'lookups',
};
const stack = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>SmsPipeline</StackName><CreationTime>2026-01-15T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${Object.entries(
  outputs,
)
  .map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  )
  .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

/** AWS with one stack, whose lookups find one message, and IAM Identity Center. */
const aws: Answer = ({ host }) => {
  if (host.startsWith('cloudformation.')) return { body: stack };
  if (host.startsWith('lambda.'))
    return { body: { listed: 1, missing: 0, changed: 0, unreadable: 0, kept: 0, changes: [] } };
  if (host.startsWith('portal.sso.'))
    return {
      body: {
        roleCredentials: {
          accessKeyId: 'key',
          secretAccessKey: 'secret',
          sessionToken: 'token',
          expiration: Date.now() + 3_600_000,
        },
      },
    };
  return { status: 404, body: {} };
};

const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' };

/** Runs a command with an environment that names nothing else. */
async function sms(args: readonly string[], env: Readonly<Record<string, string>>) {
  const options = {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', ...env },
  };
  try {
    const command = [join(project, 'bin/sms.ts'), ...args];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error && 'code' in error)) throw error;
    return { code: Number(error.code), out: String(error.stdout), err: String(error.stderr) };
  }
}

function trusting(certificate: string) {
  const file = join(mkdtempSync(join(folder, 'ca-')), 'ca.pem');
  writeFileSync(file, certificate);
  return { NODE_EXTRA_CA_CERTS: file };
}

describe('a command behind a proxy', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])(
    'reads the stack and asks the lookups through %s',
    async (variable) => {
      const { address, certificate, tunnels } = await startProxy(aws);
      const env = { ...keys, ...trusting(certificate), [variable]: `http://${address}` };
      expect(await sms(['lookup', '--message', 'm1', '--json'], env)).toMatchObject({ code: 0, err: '' });
      expect(tunnels).toEqual([
        'cloudformation.us-east-1.amazonaws.com:443',
        'lambda.us-east-1.amazonaws.com:443',
      ]);
    },
  );

  it('names itself to the proxy, whose address has no scheme', async () => {
    const { address, certificate } = await startProxy(aws, 'ann:a word');
    const env = { ...keys, ...trusting(certificate), HTTPS_PROXY: `ann:a%20word@${address}` };
    expect(await sms(['outputs'], env)).toMatchObject({ code: 0 });
  });

  it('signs in at IAM Identity Center through the proxy', async () => {
    const { address, certificate, tunnels } = await startProxy(aws);
    const home = mkdtempSync(join(folder, 'home-'));
    const cache = join(home, '.aws/sso/cache');
    mkdirSync(cache, { recursive: true });
    const start = 'https://example.awsapps.com/start';
    writeFileSync(
      join(home, '.aws/config'),
      `[profile prod]\nregion = us-east-1\nsso_start_url = ${start}\nsso_region = us-east-1\nsso_account_id = 123456789012\nsso_role_name = reader\n`,
    );
    writeFileSync(
      join(cache, `${createHash('sha1').update(start).digest('hex')}.json`),
      JSON.stringify({ accessToken: 'token', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }),
    );
    const env = { HOME: home, ...trusting(certificate), HTTPS_PROXY: `http://${address}` };
    expect(await sms(['outputs', '--profile', 'prod'], env)).toMatchObject({ code: 0, err: '' });
    expect(tunnels).toEqual([
      'portal.sso.us-east-1.amazonaws.com:443',
      'cloudformation.us-east-1.amazonaws.com:443',
    ]);
  });

  it.each(['*', 'aws.invalid', '.aws.invalid', 'other.example.com, api.aws.invalid', 'api.aws.invalid:443'])(
    'connects directly to a host of NO_PROXY=%s',
    async (exceptions) => {
      const { address, tunnels } = await startProxy(aws);
      // No resolver has an address for it (RFC 6761, section 6.4).
      const AWS_ENDPOINT_URL = 'https://api.aws.invalid';
      const env = { ...keys, HTTPS_PROXY: `http://${address}`, AWS_ENDPOINT_URL };
      expect(await sms(['outputs'], { ...env, NO_PROXY: exceptions })).toMatchObject({ code: 1 });
      expect(tunnels).toEqual([]);
      await sms(['outputs'], { ...env, NO_PROXY: 'other.invalid' });
      expect(tunnels).toEqual(['api.aws.invalid:443']);
    },
  );

  it('connects directly to this machine', async () => {
    const { address, tunnels } = await startProxy(aws);
    const proxies = { HTTPS_PROXY: `http://${address}`, HTTP_PROXY: `http://${address}` };
    const env = { ...keys, ...proxies, AWS_ENDPOINT_URL: 'http://localhost:1' };
    const { err } = await sms(['outputs'], env);
    expect(err).toContain('ECONNREFUSED');
    expect(tunnels).toEqual([]);
  });
});

describe('an error names the proxy', () => {
  it('that wants a password, without showing the one it got', async () => {
    const { address } = await startProxy(aws, 'ann:right');
    const { code, err } = await sms(['outputs'], {
      ...keys,
      HTTPS_PROXY: `http://ann:wrong-word@${address}`,
    });
    expect(code).toBe(1);
    expect(err).toContain(
      'error: The proxy does not connect to cloudformation.us-east-1.amazonaws.com:443: HTTP/1.1 407 Proxy Authentication Required (ERR_PROXY_TUNNEL).',
    );
    expect(err).not.toContain('wrong-word');
  });

  it('that is not running', async () => {
    const { err } = await sms(['outputs'], { ...keys, https_proxy: 'http://localhost:1' });
    expect(err).toBe(
      'error: The proxy that https_proxy names cannot be reached (ECONNREFUSED): start it, or correct or unset https_proxy.\n',
    );
  });

  it('that does not answer, and ends the command', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { err } = await sms(['outputs'], { ...keys, HTTPS_PROXY: `127.0.0.1:${port}` });
    expect(err).toContain(
      'error: The proxy does not connect to the host: no answer (ERR_PROXY_TUNNEL). Check that it runs',
    );
  });

  it('that replaces the certificates', async () => {
    const { address } = await startProxy(aws);
    const { err } = await sms(['outputs'], { ...keys, HTTPS_PROXY: `http://${address}` });
    expect(err).toContain('set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority');
  });

  it.each(['socks5://127.0.0.1:1080', 'http://ann:pass word@[', 'http://'])(
    'whose address is %s',
    async (address) => {
      const { code, err } = await sms(['outputs'], { ...keys, HTTPS_PROXY: address });
      expect([code, err]).toEqual([
        1,
        'error: HTTPS_PROXY holds no address of an HTTP proxy. Expected for example http://proxy.example.com:8080. Correct or unset HTTPS_PROXY.\n',
      ]);
    },
  );
});

describe('an error names the variable', () => {
  it.each([
    ['AWS_REGION', 'eu-west-1\r'],
    ['AWS_REGION', ' eu-west-1'],
    ['AWS_PROFILE', 'prod\r'],
    ['AWS_ACCESS_KEY_ID', 'key\r'],
    ['AWS_SECRET_ACCESS_KEY', '\uFEFFsecret'],
  ])('%s with invisible characters', async (name, value) => {
    const { code, err } = await sms(['outputs'], { ...keys, [name]: value });
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^error: ${name} has a blank, a line break or another invisible character`),
    );
    expect(err).not.toContain('secret');
  });

  it.each([
    [[], { AWS_REGION: 'eu_west_1' }, 'AWS_REGION is "eu_west_1"'],
    [['--region', 'eu west'], {}, '--region is "eu west"'],
  ])('of a region that cannot be one', async (args, env, problem) => {
    const { code, err } = await sms(['outputs', ...args], { ...keys, ...env });
    expect([code, err]).toEqual([
      1,
      `error: ${problem}, which is no AWS region. Expected for example eu-west-1.\n`,
    ]);
  });
});
