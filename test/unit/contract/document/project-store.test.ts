import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectApp, projectContext, projectContract } from '../../../../contract/document/project-store.ts';

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

describe('the settings of an app', () => {
  it('come from cdk.json, and below it from cdk.context.json, which belongs to the owner of a clone', () => {
    const folder = folderWith({
      'cdk.json': { app: 'node app.ts', context: { flag: true, 'sms:retentionDays': 90 } },
      'cdk.context.json': { flag: false, 'sms:contractFile': 'config/contract.json' },
    });
    expect(projectContext(folder)).toEqual({
      flag: true,
      'sms:retentionDays': 90,
      'sms:contractFile': 'config/contract.json',
    });
    expect(projectContract(folder)).toBe(join(folder, 'config/contract.json'));
    expect(projectApp(folder)).toBe('node app.ts');
  });

  it('name contract.json by default, also where no app is', () => {
    expect(projectContract(folderWith({ 'cdk.json': {} }))).toMatch(/\/contract\.json$/);
    const sources = { backup: { contractFile: 'config/vonage.json' } };
    for (const setting of [sources, JSON.stringify(sources)]) {
      const named = folderWith({ 'cdk.json': { context: { 'sms:sources': setting } } });
      expect(projectContract(named, 'backup')).toBe(join(named, 'config/vonage.json'));
      expect(projectContract(named, 'other')).toBe(join(named, 'other.json'));
    }
    expect(projectContract(folderWith({}))).toMatch(/\/contract\.json$/);
  });

  it('may name presets', () => {
    const folder = folderWith({
      'cdk.json': {
        context: { 'sms:contractFile': 'twilio', 'sms:sources': { backup: { contractFile: 'vonage-sms' } } },
      },
    });
    expect(projectContract(folder)).toMatch(/\/contract\/presets\/twilio\.json$/);
    expect(projectContract(folder, 'backup')).toMatch(/\/contract\/presets\/vonage-sms\.json$/);
  });

  it.each([
    ['is missing', {}, /cdk\.json cannot be read \(ENOENT\): run the command in the folder of your CDK app/],
    ['is not JSON', { 'cdk.json': '{' }, /cdk\.json: expected JSON/],
    ['has no command', { 'cdk.json': {} }, /cdk\.json: expected "app"/],
    ['has a context that is no object', { 'cdk.json': { context: 1 } }, /cdk\.json: .*expected record/],
  ])('are explained when cdk.json %s', (_, files, message) => {
    expect(() => projectApp(folderWith(files))).toThrow(message);
  });
});
