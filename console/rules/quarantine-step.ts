import type { QuarantineReason } from '../../client/types.ts';

/** What an operator can do about an entry of the quarantine, by its reason. */
const steps = {
  'empty-body': 'notOfService',
  'not-utf8': 'once',
  'not-json': 'once',
  'too-deep': 'notOfService',
  'no-events': 'ofContract',
  'too-many-events': 'once',
  'events-dropped': 'ofContract',
  'unknown-kind': 'ofContract',
  'missing-field': 'ofContract',
  'bad-field': 'ofContract',
  'bad-encoding': 'ofContract',
  'field-too-long': 'ofContract',
  'bad-time': 'ofContract',
  'expression-failed': 'ofContract',
  'not-an-envelope': 'notOfService',
  'signature-mismatch': 'ofSignature',
  captured: 'onPurpose',
  'message-full': 'ofFullMessage',
  'storage-refused': 'ofStorage',
} as const satisfies Record<QuarantineReason, string>;

export type QuarantineStep = (typeof steps)[keyof typeof steps];

/** Returns what to do about an entry; undefined for a reason of a later version. */
export function quarantineStepOf(reason: string): QuarantineStep | undefined {
  return Object.entries(steps).find(([known]) => known === reason)?.[1];
}
