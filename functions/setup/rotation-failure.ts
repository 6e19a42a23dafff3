import { formatDuration } from '../core/duration.ts';
import type { RotationFailure } from '../core/webhook/rotation.ts';
import { rotationLimitMs } from '../core/webhook/rotation-timing.ts';

/** Why the secret was not rotated, and what to do. @param now milliseconds since the epoch */
export function describeRotationFailure(failure: RotationFailure, now: number): string {
  switch (failure.kind) {
    case 'overlap': {
      const left = formatDuration(Date.parse(failure.validUntil) - now);
      return `The secret before the current one is still accepted for ${left} (until ${failure.validUntil}). Rotating now would drop it, and events still signed with it would be refused. Wait, or use --force.`;
    }
    case 'rotation-under-way': {
      const since = Date.parse(failure.since);
      const left = formatDuration(Math.max(0, since + rotationLimitMs - now));
      return `A rotation by ${failure.by}, begun ${failure.since} (${formatDuration(now - since)} ago), has not ended. If its run has died or got no answer, another one can begin in ${left}.`;
    }
    case 'not-registered':
      return 'The SMS service does not send its events to this pipeline, or its secret is not stored: run webhook register first.';
    case 'refused':
      return 'The SMS service refused to rotate the secret.';
    case 'overtaken':
      return 'The rotation took too long and was given up by another run. Run it again.';
  }
}
