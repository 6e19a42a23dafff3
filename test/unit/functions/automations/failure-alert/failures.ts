import type { Failure } from '../../../../../functions/automations/failure-alert/failure-notice.ts';

/** The failure of a fictitious message. */
export function failure(number: number, rest: Partial<Failure> = {}): Failure {
  return {
    eventId: number.toString(16).padStart(32, '0'),
    messageId: `m${number}`,
    phone: '+12025550143',
    status: 'undelivered',
    occurredAt: new Date(Date.UTC(2026, 0, 15, 12, 0, number)).toISOString(),
    ...rest,
  };
}
