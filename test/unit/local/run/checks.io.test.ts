import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { portsFrom, requireFreePorts } from '../../../../local/run/ports.ts';
import { findJava, tablesAccessKeyId } from '../../../../local/services/dynamodb/api.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';

/** A JAVA_HOME whose java says it is of this version. */
function javaHome(version: string): string {
  const home = mkdtempSync(join(tmpdir(), 'java-home-'));
  mkdirSync(join(home, 'bin'));
  const script = `#!/bin/sh\necho 'openjdk version "${version}" 2020-01-01' >&2\n`;
  writeFileSync(join(home, 'bin', 'java'), script, { mode: 0o755 });
  return home;
}

describe('before anything starts', () => {
  it('requireFreePorts reports a port in use with its purpose', async () => {
    const first = await freePorts(5);
    const taken = createServer().listen(first + 3, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    await expect(requireFreePorts(portsFrom(first))).rejects.toThrow(
      `port ${first + 3} (SQS) is taken: end what listens there, or choose other ports with --port`,
    );
  });

  it('requireFreePorts reports the port of DynamoDB in use on another interface', async () => {
    const first = await freePorts(5);
    const taken = createServer().listen(first + 2, '0.0.0.0');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    await expect(requireFreePorts(portsFrom(first))).rejects.toThrow(`port ${first + 2} (DynamoDB) is taken`);
  });

  it('findJava reports missing Java and what to install', async () => {
    await expect(findJava({ JAVA_HOME: '/nonexistent' })).rejects.toThrow(
      /^no Java found .* Java 17 or newer; install/,
    );
  });

  it.each(['11.0.2', '1.8.0_202'])('findJava rejects Java %s', async (version) => {
    await expect(findJava({ JAVA_HOME: javaHome(version) })).rejects.toThrow(/is too old: .* 17 or newer/);
  });

  it.each(['17.0.15', '21', '25-ea'])('findJava accepts Java %s', async (version) => {
    const home = javaHome(version);
    expect(await findJava({ JAVA_HOME: home })).toBe(join(home, 'bin', 'java'));
  });
});

describe('the access key id of the tables', () => {
  it('is a new one for each run', () => {
    expect(tablesAccessKeyId(undefined)).toMatch(/^[0-9a-f]{32}$/);
    expect(tablesAccessKeyId(undefined)).not.toBe(tablesAccessKeyId(undefined));
  });

  it('stays with tables that are kept, in a file that only their owner may read', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'tables-')), 'tables');
    const first = tablesAccessKeyId(folder);
    expect(tablesAccessKeyId(folder)).toBe(first);
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});
