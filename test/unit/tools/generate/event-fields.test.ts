import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { detailTypes } from '../../../../events/event-types.ts';
import { examples } from '../../../../events/examples.ts';
import { eventFields } from '../../../../tools/generate/event-fields.ts';

it('a field has whether it is always there, an example and its words, and fields of a list are behind it', () => {
  const lines = eventFields([detailTypes.providerDegraded]).split('\n');
  expect(lines[0]).toBe('### SMS Provider Degraded');
  const row = (field: string) => lines.find((line) => line.startsWith(`| \`${field}\` |`));
  expect(row('source')).toMatch(/^\| `source` \| yes \| `"main"` \| /);
  expect(row('figures')).toMatch(/^\| `figures` \| yes \| {2}\| /);
  expect(row('figures[].limit')).toMatch(/^\| `figures\[\]\.limit` \| no \| /);
  expect(row('figures[].comparedWith')).toMatch(/ One of `weeks`, `days`, `limit`\. \|$/);
});

it('events with the same fields share a table', () => {
  const headings = eventFields([detailTypes.optOut, detailTypes.helpRequested, detailTypes.optIn]).match(
    /^### .+/gm,
  );
  expect(headings).toEqual(['### SMS Opt-Out and SMS Opt-In', '### SMS Help Requested']);
});

it('the events that docs/reference/events.md shows are the examples', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/reference/events.md'), 'utf8');
  const shown = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => JSON.parse(block));
  expect(shown.map((block) => block.detail ?? block)).toEqual([
    examples[detailTypes.statusChanged],
    examples[detailTypes.providerDegraded],
  ]);
});
