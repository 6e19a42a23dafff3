import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractHash } from '../../../../contract/events/body.ts';
import { formContract, formContractJson, shippedContract } from '../../../../tools/support/contracts.ts';
import { commandLine, historyOf, recordingPost } from '../support/harness.ts';
import { temporaryFiles } from '../support/temporary-directory.ts';

const file = temporaryFiles();
const form = file('form.json', formContractJson);
const secret = file('secret.txt', 'a secret of text');
const [atHand, other] = [contractHash(formContract), contractHash(shippedContract)];

/** Runs a command whose pipeline works by a contract, as far as the commands of the table get without a pipeline. */
function sms(deployed: string, args: readonly string[]) {
  const connection = {
    ...historyOf([]),
    contractHash: async () => deployed,
    deadLetterQueues: async () => [],
    quarantine: async () => ({
      list: async () => ({ entries: [] }),
      entry: async () => undefined,
    }),
    webhookSettings: () => Promise.reject(new Error('has gone on')),
    webhookUrl: () => Promise.reject(new Error('has gone on')),
    personalData: () => Promise.reject(new Error('has gone on')),
  };
  return commandLine({ connection, post: recordingPost(200).post }).sms(...args, '--contract', form);
}

const refuses = 'refuses';
const warns = 'warns';
const compares = 'compares files on purpose';

const archive = temporaryFiles()('x.tgz', '');
writeFileSync(archive, Buffer.from([0x1f, 0x8b, 0x08, 0, 0xff]));

describe('a contract that is not there, or is something else', () => {
  const presets = 'the name of a preset: 46elks, 8x8, ';
  it.each([
    [['contract', 'test', '--contract', 'twillio'], 'Did you mean twilio?', presets],
    [['webhook', 'test', '--contract', 'none/of.json'], 'is neither a file nor a preset. Expected', presets],
    [
      ['contract', 'test', '--contract', 'plivo'],
      '"plivo" is now plivo-v3 or plivo-v2, one',
      'each product.',
    ],
    [['number', 'show', '202-555-0143', '--contract', 'x'], 'neither a file', 'or add --country US.'],
    [
      ['contract', 'test', '--contract', 'package.json'],
      'package.json: The contract is not valid:\n',
      'not a contract',
    ],
    [['contract', 'test', '--contract', archive], 'not JSON, nor any text\n', ''],
    [['contract', 'test', '--contract', ''], 'Expected a non-empty text', ''],
  ])('%j names what could be meant', async (args, problem, way) => {
    const { err, code } = await commandLine().sms(...args);
    expect([code === 0, err.includes('ENOENT')]).toEqual([false, false]);
    expect(err).toContain(problem);
    expect(err).toContain(way);
  });
});

describe('a contract that is not the deployed one', () => {
  it.each([
    [refuses, 'add --accept-mismatch', ['webhook', 'test']],
    [refuses, 'add --accept-mismatch', ['webhook', 'store-secret', '--secret-file', secret]],
    [refuses, 'add --accept-mismatch', ['quarantine', 'replay', '--dry-run']],
    [refuses, 'write the number with "+" and its country code', ['number', 'show', '(202) 555-0143']],
    [refuses, 'write the number with "+" and its country code', ['person', 'export', '(202) 555-0143']],
    [
      refuses,
      'write the number with "+" and its country code',
      ['opt-out', 'add', '(202) 555-0143', '--reason', 'x'],
    ],
    [warns, '', ['dead-letter', 'show']],
    [compares, '', ['number', 'show', '+1 202 555 0143']],
    [compares, '', ['contract', 'test']],
  ])('%s: %s %j', async (policy, wayOut, args) => {
    const same = await sms(atHand, args);
    expect(same.err).not.toContain('contract');
    const { err, code } = await sms(other, args);
    const problem = `The pipeline works by another contract (${other}) than ${form} (${atHand}).`;
    if (policy === compares) expect([err, code]).toEqual([same.err, same.code]);
    else if (policy === warns) expect([err, code]).toEqual([`warning: ${problem}\n`, same.code]);
    else {
      expect([err, code]).toEqual([
        `error: ${problem} Name the deployed file with --contract, or ${wayOut}. To put this one into effect, deploy it.\n`,
        1,
      ]);
      if (wayOut.includes('--accept-mismatch'))
        expect((await sms(other, [...args, '--accept-mismatch'])).err).toContain(`warning: ${problem}`);
    }
  });

  it('says how the contract comes into effect on this machine', async () => {
    const { err } = await sms(other, ['webhook', 'test', '--local']);
    expect(err).toContain(`start the pipeline with: npm start -- -c sms:contractFile=${form}\n`);
  });
});
