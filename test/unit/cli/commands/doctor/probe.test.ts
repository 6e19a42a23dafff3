import { expect, it } from 'vitest';
import { testEvent } from '../../../../../cli/commands/doctor/probe.ts';
import { expectedOf } from '../../../../../contract/document/expected.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { presetContracts } from '../../../../support/preset-contracts.ts';

it.each(presetContracts)('the test message is delivered, and no mismatch, by $name', ({ contract }) => {
  const now = Date.parse('2026-01-15T12:00:00.000Z');
  const { body, signedId } = testEvent(contract, 'sms-doctor-1', now, () => '00000000-0000');
  const read = createMapper(contract, expectedOf(contract))(body, signedId, '2026-01-15T12:00:00.000Z');
  expect(read).toHaveLength(1);
  expect(read[0]).toMatchObject({ kind: 'event', event: { messageId: 'sms-doctor-1', status: 'delivered' } });
  expect(read[0]).not.toHaveProperty('mismatches');
});
