import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const sources = globSync('{bin,cli,client,console,contract,functions,lib,local}/**/*.{ts,tsx}', {
  cwd: root,
});
const mention = /docs\/[\w/-]+\.(?:md|json)(?:#[\w-]+|,(?: and|,)? \\?"(?:\\.|[^"\\\n$])+")?/g;

/** What sources, and their messages, say about pages: `docs/page.md`, `docs/page.md#anchor`, `docs/page.md, "Heading"`. */
const mentions = new Set(
  sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(mention) ?? []),
);

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
    .replaceAll(' ', '-');

function leadsNowhere(text: string): boolean {
  const [path = ''] = /^[^#,]+/.exec(text) ?? [];
  if (!existsSync(join(root, path))) return true;
  const place = text.slice(path.length).replaceAll(/^#|^,[^"]*"|"$/g, '');
  if (place === '') return false;
  const headings = readFileSync(join(root, path), 'utf8').match(/(?<=^#+ ).+$/gm) ?? [];
  return !headings.some((heading) => anchorOf(heading) === anchorOf(place));
}

describe('pages that sources name', () => {
  it('are found, also with a heading', () => {
    expect([...mentions]).toEqual(
      expect.arrayContaining([
        'docs/reference/http-api.md',
        'docs/operate/alarms.md, "Events are not stored"',
        'docs/operate/troubleshooting.md, "Redrive dead letters"',
      ]),
    );
  });

  it.each([...mentions].sort())('%s exists', (text) => {
    expect(leadsNowhere(text)).toBe(false);
  });

  it.each(['docs/none.md', 'docs/operate/alarms.md, "No such"', 'docs/operate/alarms.md#none'])(
    'such as %s would fail',
    (text) => {
      expect(leadsNowhere(text)).toBe(true);
    },
  );
});
