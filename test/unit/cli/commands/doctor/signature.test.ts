import { expect, it } from 'vitest';
import { judgeSignature } from '../../../../../cli/commands/doctor/signature.ts';
import { presetContract } from '../../../../support/preset-contracts.ts';

it.each([
  ['standard-webhooks', 'ok', ''],
  ['plivo-v2', 'warn', 'forge any report, reply and opt-out'],
  ['static-token-query', 'warn', 'the secret itself in the URL'],
] as const)('with the preset %s the check of the signature is %s', (preset, state, hint) => {
  const verdict = judgeSignature(presetContract(preset));
  expect(verdict.state).toBe(state);
  expect(verdict.hint ?? '').toContain(hint);
});

it('without a signature there is nothing to judge', () => {
  const { webhook } = presetContract('standard-webhooks');
  expect(
    judgeSignature({ webhook: { ...webhook, signature: { scheme: 'none', anyoneMayPost: true } } }).state,
  ).toBe('skipped');
});
