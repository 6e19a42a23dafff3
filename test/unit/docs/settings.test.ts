import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

// The next deployment without the option would take away what the setting switched on.
it.each(globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root }))(
  '%s deploys only settings that are in cdk.json',
  (page) => {
    const shown = readFileSync(join(root, page), 'utf8').match(
      /(npm run deploy|cdk deploy)[^\n`]*(-c|--context)[ =]sms:.*/g,
    );
    expect(shown ?? []).toEqual([]);
  },
);
