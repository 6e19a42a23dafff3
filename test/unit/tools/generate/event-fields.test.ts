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
    /^### SMS .+/gm,
  );
  expect(headings).toEqual(['### SMS Opt-Out and SMS Opt-In', '### SMS Help Requested']);
});

it('a field of several events is explained once, and each event says whether it is always there', () => {
  const lines = eventFields([detailTypes.statusChanged, detailTypes.stale, detailTypes.helpRequested]).split(
    '\n',
  );
  expect(lines[0]).toBe('### Fields of several events');
  const rows = lines.filter((line) => line.startsWith('| `messageId` |'));
  expect(rows).toEqual(['| `messageId` | in some events | `"m-7f3a"` | The service\'s id of the message. |']);
  const help = lines.slice(lines.indexOf('### SMS Help Requested'));
  expect(help[2]).toBe(
    'Of the [fields of several events](#fields-of-several-events): always `historyEventId`; sometimes `source`, `messageId`.',
  );
  expect(help.filter((line) => line.startsWith('| `')).map((line) => line.split('`')[1])).toEqual([
    'phone',
    'replyId',
    'occurredAt',
  ]);
});

it('the events that docs/reference/events.md shows are the examples', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/reference/events.md'), 'utf8');
  const shown = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => JSON.parse(block));
  expect(shown.map((block) => block.detail ?? block)).toEqual([
    examples[detailTypes.statusChanged],
    examples[detailTypes.providerDegraded],
  ]);
});
