import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { receivingHalf } from '../promises/support/receiving-half.ts';
import { eventsOf, stored } from './support/preset.ts';

/*
 * A reply has several contents, or its words in another place (sinch/sinch-sdk-python, test of MOMediaMessage; nyaruka/courier, zenvia
 * handlers.go). No words are lost.
 */

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

const sinch = (body: object) =>
  JSON.stringify({
    from: '12025550124',
    id: 'mm-24',
    to: '12025550100',
    type: 'mo_media',
    received_at: '2026-11-28T18:12:49Z',
    body,
  });

it('sinch-sms: STOP in a media message opts the person out', async () => {
  const body = sinch({ subject: '', message: 'STOP', media: [] });
  const { registered, quarantine } = await stored(tables, 'sinch-sms', [body]);
  expect(quarantine).toEqual([]);
  expect(registered('+12025550124')).toMatchObject({ state: 'out', by: 'person' });
});

it('sinch-sms: a media message without words has its pictures', () => {
  const media = [
    { url: 'https://example.com/1.jpg', content_type: 'image/jpeg', status: 'Uploaded', code: 0 },
  ];
  expect(eventsOf('sinch-sms', sinch({ media }))).toMatchObject([
    { text: '', media: ['https://example.com/1.jpg'] },
  ]);
});

const zenvia = (...contents: readonly object[]) =>
  eventsOf(
    'zenvia',
    JSON.stringify({
      id: 'ev-24',
      timestamp: '2026-11-28T18:12:49Z',
      type: 'MESSAGE',
      channel: 'sms',
      direction: 'IN',
      message: {
        id: 'z-24',
        from: '5511955550124',
        to: '5511955550100',
        direction: 'IN',
        channel: 'sms',
        contents,
      },
    }),
  );
const file = { type: 'file', fileUrl: 'https://example.com/x' };

it.each<[string, object[], object]>([
  ['one text', [{ type: 'text', text: 'SAIR' }], { text: 'SAIR' }],
  [
    'two texts',
    [
      { type: 'text', text: 'primeira' },
      { type: 'text', text: 'SAIR' },
    ],
    { text: 'primeira\nSAIR' },
  ],
  [
    'a file, and then a text',
    [file, { type: 'text', text: 'veja' }],
    { text: 'veja', media: ['https://example.com/x'] },
  ],
  ['a file with a caption', [{ ...file, fileCaption: 'a conta' }], { text: 'a conta' }],
  ['a file alone', [file], { text: '', media: ['https://example.com/x'] }],
  [
    'a content that is not known',
    [{ type: 'new', words: 'SAIR' }],
    { text: '{"type":"new","words":"SAIR"}' },
  ],
])('zenvia: %s', (_name, contents, expected) => {
  expect(zenvia(...contents)).toMatchObject([{ replyId: 'z-24', from: '+5511955550124', ...expected }]);
});
