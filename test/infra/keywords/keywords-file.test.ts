import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKeywordsFile } from '../../../lib/keywords/keywords-file.ts';
import { newFolder } from '../support/built-app.ts';

const rules =
  'The keywords are not valid (docs/guides/automations/opt-out.md, "The keywords", has the rules, schemas/keywords.schema.json helps an editor):';

function fileWith(content: string): string {
  const path = join(newFolder(), 'words', 'keywords.json');
  mkdirSync(dirname(path));
  writeFileSync(path, content);
  return path;
}

function errorOf(path: string): Error {
  try {
    readKeywordsFile(path, 'the setting sms:keywordsFile');
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('expected an error');
}

describe('the keywords file', () => {
  it('that is shipped is valid', () => {
    const { everywhere } = readKeywordsFile(
      resolve(import.meta.dirname, '../../../keywords.json'),
      'the test',
    );
    expect(everywhere.stop).toContain('STOP');
  });

  it.each([
    ['is not there', join(newFolder(), 'keywords.json'), 'ENOENT'],
    ['is a folder', newFolder(), 'EISDIR'],
  ])('that %s is reported with its path and the setting that names it', (_, path, code) => {
    expect(errorOf(path)).toMatchObject({
      name: 'KeywordsFileError',
      message: `${path}: cannot be read (${code}); the setting sms:keywordsFile names this file`,
    });
  });

  it.each(['', '{"everywhere": {"stop": ["STOP",]}}'])('of %o is reported as invalid JSON', (content) => {
    const path = fileWith(content);
    const { name, message } = errorOf(path);
    expect(name).toBe('KeywordsFileError');
    expect(message.startsWith(`${path}: expected JSON: `)).toBe(true);
  });

  it('that leads to a device is not read', () => {
    expect(errorOf('/dev/zero')).toMatchObject({
      name: 'KeywordsFileError',
      message: '/dev/zero is a device, and not a file; the setting sms:keywordsFile names this file',
    });
  });

  it('that is not JSON is not quoted, because a link may lead to a secret', () => {
    const { message } = errorOf(fileWith('[default]\naws_secret_access_key = ...'));
    expect(message).not.toContain('default');
  });

  it('is rejected with all problems at once, a line each', () => {
    const path = fileWith('{"everywhere":{"stop":[],"help":["!"]},"countries":{"ZZ":{"stop":["FIM"]}}}');
    expect(errorOf(path).message.split('\n  ')).toEqual([
      `${path}: ${rules}`,
      expect.stringMatching(/^everywhere\.stop: /),
      expect.stringMatching(/^everywhere\.help\.0: /),
      expect.stringMatching(/^countries\.ZZ: /),
    ]);
  });
});
