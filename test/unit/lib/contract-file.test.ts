import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import shipped from '../../../contract.json' with { type: 'json' };
import { readContractFile } from '../../../lib/contract-file.ts';
import { readContract } from '../../../local/contract-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sms-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, json: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(json));
  return join(folder, name);
}

file('own.json', { extends: 'twilio', service: shipped.service });
file('unknown.json', { extends: 'twilo', service: shipped.service });

describe.each([
  ['synthesis', (name: string) => readContractFile(join(folder, name))],
  ['the pipeline on this machine', (name: string) => readContract(folder, name)],
])('the contract file, read for %s', (_, read) => {
  it('may extend a preset', () => {
    expect(read('own.json')).toMatchObject({
      service: { baseUrl: shipped.service.baseUrl },
      webhook: { signature: { header: 'x-twilio-signature' }, bodyFormat: 'form' },
    });
  });

  it('is refused by name where there is no such preset', () => {
    expect(() => read('unknown.json')).toThrow(
      /unknown\.json: The contract is not valid:\n {2}extends: no preset is called "twilo"; did you mean "twilio"\?/,
    );
  });

  it('is refused by name where it is not there', () => {
    expect(() => read('none.json')).toThrow(/none\.json.*(?:read|ENOENT)/);
  });
});
