import { expect, it } from 'vitest';
import { summarizeDecisions } from '../../../../tools/acceptance/emulator.ts';

const session = (role: string) => `arn:aws:sts::123456789012:assumed-role/${role}/session`;
const decision = (action: string, role: string, isDenied: boolean) =>
  `${JSON.stringify({ action, resource: 'arn:aws:sqs:eu-central-1:123456789012:events', caller: session(role), isDenied })}\n`;

it('a denied call fails the run once, with its action, resource and role', () => {
  const denied = decision('sqs:SendMessage', 'ingest', true);
  expect(summarizeDecisions(decision('sqs:SendMessage', 'worker', false) + denied + denied)).toEqual({
    found: '3 calls of 2 callers, 2 denied',
    broken: [
      `IAM denied sqs:SendMessage on arn:aws:sqs:eu-central-1:123456789012:events to ${session('ingest')}`,
    ],
  });
});
