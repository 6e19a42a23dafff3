import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

// The next deployment without the option would take away what the setting switched on.
it.each(globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root }))(
  '%s deploys only settings that are in a file',
  (page) => {
    const shown = readFileSync(join(root, page), 'utf8').match(
      /(npm run deploy|cdk deploy)[^\n`]*(-c|--context)[ =]sms:.*/g,
    );
    expect(shown ?? []).toEqual([]);
  },
);

const defaults = new Map(
  [
    ...readFileSync(join(root, 'docs/reference/settings.md'), 'utf8').matchAll(
      /^\| `sms:(\w+)` \| `(\d+)` /gm,
    ),
  ].map(([, name = '', value = '']) => [name, value]),
);

/** Defaults that a page says beside a setting: `sms:recoveryDays` (35 days), 24 hours (`sms:secretOverlapHours`), or 400 by default. */
function defaultsIn(text: string): (readonly [name: string, value: string])[] {
  const behind = text.matchAll(/`sms:(\w+)`(?: \(|, )([\d,]+)(?: days\)| hours\)| by default|\))/g);
  const before = text.matchAll(/([\d,]+) (?:days|hours) \(`sms:(\w+)`/g);
  return [
    ...[...behind].map(([, name = '', value = '']) => [name, value] as const),
    ...[...before].map(([, value = '', name = '']) => [name, value] as const),
  ].map(([name, value]) => [name, value.replaceAll(',', '')]);
}

it('pages say the defaults of settings that the settings have', () => {
  const said = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((page) =>
    defaultsIn(readFileSync(join(root, page), 'utf8')).map((each) => [page, ...each] as const),
  );
  expect(said.length).toBeGreaterThan(15);
  expect(said.filter(([, name, value]) => defaults.get(name) !== value)).toEqual([]);
});
