import { expect, it } from 'vitest';
import { nameOf } from '../../../../discovery/captured/field-names.ts';

it('a name has words, the objects around it, and the name without what says nothing of the field', () => {
  expect(nameOf(['data', 'messages', 0, 'payload_id'])).toEqual({
    prefix: 'payload',
    bare: 'id',
    last: 'payloadid',
    parents: ['messages', 'message'],
    container: '',
  });
});

it('a key of many words, which a stranger can send in 256 KB, is no name, so that nothing compares it with names', () => {
  const long = 'report_'.repeat(30);
  expect(nameOf([long, long])).toEqual({ prefix: '', bare: '', last: '', parents: [''], container: '' });
  expect(nameOf([`${'x'.repeat(150)}_message`, 'messageId'])).toMatchObject({ last: 'messageid' });
});
