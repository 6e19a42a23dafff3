import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contractFiles, loadContract } from '../../../../../contract/document/contract-file-store.ts';
import { presetNames } from '../../../../../contract/document/extend.ts';
import { readSettings } from '../../../../../lib/app/read-settings.ts';
import { commandLine } from '../../support/harness.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'init-'));
const json = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

describe('sms init', () => {
  it.each(['the example', ...presetNames(contractFiles)])(
    'writes an app with valid settings, and a contract with samples to play: %s',
    async (preset) => {
      const folder = join(newFolder(), 'My App');
      const options = preset === 'the example' ? [] : ['--preset', preset];
      const { code, out } = await commandLine().sms('init', folder, ...options);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(/&& npm install <clone>\/sms-event-pipeline-\S+\.tgz && npm run demo\n/),
      ]);
      const { registration } = readSettings(json(folder, 'cdk.json').context);
      expect(registration).toBe(preset === 'the example' ? 'on' : 'off');
      const readme = readFileSync(join(folder, 'README.md'), 'utf8');
      expect(readme.includes('create-secret')).toBe(registration === 'on');
      // The name is free until the package is published: a stranger who registers it would run code in the app.
      expect(readme).not.toMatch(/(?:npm (?:i|install|update)|npx)(?: --?[\w-]+)* sms-event-pipeline/);
      const contract = loadContract(join(folder, 'contract.json'), { namedBy: 'the test' });
      const kinds = contract.samples.flatMap(({ becomes = [] }) => becomes.map(({ kind }) => kind));
      expect(new Set(kinds)).toEqual(new Set(['sms.status', 'sms.reply']));
      const { name, dependencies } = json(folder, 'package.json');
      expect([name, Object.keys(dependencies)]).toEqual(['my-app', ['aws-cdk-lib', 'constructs']]);
    },
  );

  it.each(['', 'below'])('needs a folder, and says so of a file: %s', async (below) => {
    const file = join(newFolder(), 'README.md');
    writeFileSync(file, 'mine');
    const { code, err } = await commandLine().sms('init', join(file, below));
    expect([code, err]).toEqual([1, expect.stringMatching(/README\.md.* \(E[A-Z]+: .*\)\. .* folder/)]);
  });

  it.each([
    [2, '--confirm writes the app beside them.', [], undefined],
    [1, 'Nothing was written.', [], 'n'],
    [0, '', [], 'y'],
    [0, '', ['--confirm'], undefined],
  ])('ends with %i and "%s" in a folder that holds other files', async (code, text, options, answer) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const ask = answer === undefined ? undefined : async () => answer;
    const { err, ...outcome } = await commandLine({ terminal: { ask } }).sms('init', folder, ...options);
    expect([outcome.code, err]).toEqual([code, expect.stringContaining(text)]);
    expect(readdirSync(folder).includes('app.ts')).toBe(code === 0);
  });

  it('writes into a new repository without a question', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, '.git'));
    expect((await commandLine().sms('init', folder)).code).toBe(0);
  });

  it('overwrites no file, and names those that exist', async () => {
    const folder = newFolder();
    await commandLine().sms('init', folder);
    const names = readdirSync(folder).sort();
    rmSync(join(folder, 'app.ts'));
    writeFileSync(join(folder, 'contract.json'), 'mine');
    const { code, err } = await commandLine().sms('init', folder, '--preset', 'twilio');
    expect([code, err]).toEqual([1, expect.stringContaining(join(folder, 'contract.json'))]);
    expect(readFileSync(join(folder, 'contract.json'), 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(names.filter((name) => name !== 'app.ts'));
  });
});
