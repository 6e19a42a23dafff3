import { describe, expect, it } from 'vitest';
import { parseImportMapping } from '../../../../contract/document/import-mapping.ts';
import { loadImportMapping, mappingNames } from '../../../../contract/document/import-mapping-file-store.ts';
import { createRowReader } from '../../../../contract/imports/row-reader.ts';

const report = { messageId: 'id', status: 'state', occurredAt: 'at', recipient: 'to', errorCode: 'code' };
const row = { id: 'm-1', state: 'ok', at: '2026-01-15T12:00:00Z', to: '(202) 555-0143', code: '' };
const becomes = { messageId: 'm-1', status: 'delivered', phone: '+12025550143' };
const mapping = {
  timeFormat: 'iso8601',
  defaultCountry: 'US',
  report,
  statuses: { ok: 'delivered', bad: 'failed' },
  samples: [{ name: 'one', row, becomes }],
};

function problemsOf(changes: object): string {
  try {
    parseImportMapping({ ...mapping, ...changes });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a mapping', () => {
  it.each(mappingNames())('%s ships, and its samples become what they say', (name) => {
    expect(loadImportMapping(name, undefined).samples.length).toBeGreaterThanOrEqual(3);
  });

  it('is tested by its samples', () => {
    expect(problemsOf({})).toBe('');
    expect(problemsOf({ samples: [{ name: 'one', row, becomes: { status: 'failed' } }] })).toContain(
      'samples.0 (one): event 1: expected status "failed", the mapping gives "delivered"',
    );
    expect(problemsOf({ samples: [{ name: 'one', row, becomes: null }] })).toContain(
      'samples.0 (one): expected 0 events, the mapping finds 1',
    );
  });

  it('names what is wrong with it', () => {
    expect(problemsOf({ only: '((' })).toContain('only: expected a JMESPath expression');
    expect(problemsOf({ statuses: {} })).toContain('statuses: expected the words of the export');
    expect(problemsOf({ webhook: {} })).toContain('webhook: not a key of the mapping; remove it');
    expect(problemsOf({ report: { ...report, occurredAt: null } })).toContain('report.occurredAt:');
  });

  it('takes words and codes of the contract that it extends, and its own win', () => {
    const files = {
      presets: '/none',
      list: () => [],
      read: (path: string) =>
        JSON.stringify(
          path.endsWith('base.json')
            ? {
                statuses: { ok: 'sent', gone: 'expired' },
                errors: { 7: 'spam' },
                events: { defaultCountry: 'BR' },
              }
            : { ...mapping, extends: './base.json' },
        ),
    };
    const { statuses, errors, defaultCountry } = loadImportMapping(import.meta.filename, undefined, files);
    expect(statuses).toEqual({ ok: 'delivered', bad: 'failed', gone: 'expired' });
    expect(errors).toEqual({ 7: 'spam' });
    expect(defaultCountry).toBe('US');
    const given = loadImportMapping(import.meta.filename, { statuses: { done: 'read' } }, files);
    expect(given.statuses).toEqual({ ok: 'delivered', bad: 'failed', done: 'read' });
  });
});

describe('a row', () => {
  const read = createRowReader(parseImportMapping({ ...mapping, only: "kind != 'in'" }));

  it('becomes a report whose id follows from its source, word and code', () => {
    const [one] = read([{ ...row, state: 'bad', code: '17' }]);
    expect(one).toMatchObject({
      kind: 'report',
      report: { eventId: 'import:bad:17', origin: 'import', status: 'failed', word: 'bad', errorCode: '17' },
    });
  });

  it('keeps its place among rows that are left out or cannot be read', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 70; level++) deep = { deep };
    const kinds = read([
      7,
      { ...row, kind: 'in' },
      row,
      null,
      { ...row, deep },
      { ...row, at: 'yesterday' },
      { ...row, id: ' ' },
      row,
    ]).map((one) => (one.kind === 'unreadable' ? `${one.reason} ${one.field ?? ''}`.trim() : one.kind));
    expect(kinds).toEqual([
      'not-an-object',
      'left-out',
      'report',
      'not-an-object',
      'too-deep',
      'bad-time occurredAt',
      'missing-field messageId',
      'report',
    ]);
  });

  it('is unreadable, not left out, if "only" fails', () => {
    const strict = createRowReader(parseImportMapping({ ...mapping, only: "!starts_with(to, 'x')" }));
    expect(strict([{ ...row, to: undefined }])).toEqual([
      { kind: 'unreadable', reason: 'expression-failed' },
    ]);
  });
});
