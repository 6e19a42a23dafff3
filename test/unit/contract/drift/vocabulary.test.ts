import { expect, it } from 'vitest';
import { looksLikeVocabulary } from '../../../../contract/drift/drift-watch.ts';

it.each([
  'delivered',
  'DELIVRD',
  'not_delivered-2',
  'message.finalized',
  'HELD_BY_CARRIER',
  'code-300',
  'x'.repeat(40),
])('looksLikeVocabulary accepts %j', (text) => expect(looksLikeVocabulary(text)).toBe(true));

it.each([
  ['nothing', ''],
  ['a code', 'PIN-4711'],
  ['a name', 'Anna Schmidt'],
  ['the text of a person', 'Yes please stop'],
  ['a sentence too long', 'x'.repeat(41)],
  ['a number', '+12025550143'],
  ['its digits', '12025550143'],
  ['its digits apart', '202 555-01.43'],
  ['digits of another script', '١٢٣٤٥'],
  ['an address', 'someone@example.com'],
  ['lines', 'a\nb'],
  ['letters that may steer a terminal', '\u001b[31mred'],
])('looksLikeVocabulary rejects %s', (_, text) => expect(looksLikeVocabulary(text)).toBe(false));
