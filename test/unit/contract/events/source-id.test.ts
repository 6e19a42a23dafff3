import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  historyId,
  idsFor,
  serviceIds,
  splitId,
  withHistoryIds,
} from '../../../../contract/events/source-id.ts';
import { assertProperty } from '../../../support/property.ts';

const anyId = fc.oneof(
  fc.string(),
  fc.constantFrom('msg-1', 'backup/msg-1', 'main/msg-1', 'main/main/msg-1', '/', 'backup/', 'Backup/msg-1'),
);
const anySource = fc.constantFrom('main', 'backup', 'br-2');

describe('an id in the history', () => {
  it('is that of the service for the source main, and begins with every other source', () => {
    expect(historyId({ source: 'main', id: 'msg-1' })).toBe('msg-1');
    expect(historyId({ source: 'backup', id: 'msg-1' })).toBe('backup/msg-1');
  });

  it('is unique, whatever ids services choose, and gives back the source and the id', () => {
    assertProperty(
      fc.property(anySource, anyId, anySource, anyId, (source, id, otherSource, other) => {
        const text = historyId({ source, id });
        expect(splitId(text)).toEqual({ source, id });
        if (source !== otherSource || id !== other)
          expect(historyId({ source: otherSource, id: other })).not.toBe(text);
      }),
    );
  });
});

describe('an id that a person gives', () => {
  it('may be of any source', () => {
    expect(idsFor('msg-1', ['main', 'backup'])).toEqual(['msg-1', 'backup/msg-1']);
  });

  it('may have its source, or look like it', () => {
    expect(idsFor('backup/msg-1', ['main', 'backup'])).toEqual([
      'backup/msg-1',
      'main/backup/msg-1',
      'backup/backup/msg-1',
    ]);
    expect(idsFor('main/msg-1', ['main'])).toEqual(['msg-1', 'main/main/msg-1']);
    expect(idsFor('2026/msg-1', ['main'])).toEqual(['2026/msg-1']);
    expect(idsFor('spring/msg-1', ['main'])).toEqual(['main/spring/msg-1']);
  });
});

it('an event has the ids of the history inside, and those of its service outside', () => {
  const event = { messageId: 'm', sendId: 's', text: 'm' };
  expect(withHistoryIds('main', event)).toEqual(event);
  const inside = withHistoryIds('backup', event);
  expect(inside).toEqual({ messageId: 'backup/m', sendId: 'backup/s', text: 'm' });
  expect(serviceIds(inside)).toEqual({ source: 'backup', ...event });
  expect(serviceIds(event)).toEqual(event);
});
