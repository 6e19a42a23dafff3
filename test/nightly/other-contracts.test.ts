import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { formContractJson, nestedContractJson } from '../../tools/support/contracts.ts';
import { freePorts } from '../../tools/support/free-port.ts';

const projectDirectory = resolve(import.meta.dirname, '../..');

// The demonstration fails unless every message ends in its state, with each event once, and the reply is there.
it.each([
  ['signed over the body in hex, form-encoded', formContractJson],
  ['with a static token, nested, in Unix milliseconds', nestedContractJson],
])('the demonstration succeeds with another contract: %s', async (_, contract) => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const file = join(folder, 'contract.json');
  writeFileSync(file, JSON.stringify(contract));
  const port = String(await freePorts(5));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      'local/start.ts',
      '--demo',
      '--port',
      port,
      '--dir',
      join(folder, 'run'),
      '-c',
      `sms:contractFile=${file}`,
    ],
    { cwd: projectDirectory },
  );
  expect(stdout).toContain("the service's word: ");
});
