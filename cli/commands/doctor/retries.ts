import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { formatDuration } from '../../../functions/base/basics.ts';
import { ok, skipped, type Verdict, warn } from '../../../functions/query/index.ts';

const hourMs = 3_600_000;

/** An outage of the pipeline that an operator notices and repairs at night takes about this long. */
const enoughHours = 4;

/** Judges whether reports survive an outage of the pipeline: the service retries for hours, or lookups find what was lost. */
export function judgeRetries(
  { retries }: Pick<Contract['webhook'], 'retries'>,
  hasLookups: boolean,
): Verdict {
  if (retries === undefined)
    return hasLookups
      ? ok('it is not documented how the service retries; lookups find lost reports, but no replies')
      : skipped('the contract does not say how the service retries (webhook.retries)');
  const { hours, describe, urlSuffix } = retries;
  if (hours >= enoughHours) return ok(describe);
  if (hasLookups) return ok(`${describe} Lookups find lost reports, but no replies`);
  const setting =
    urlSuffix === undefined
      ? ''
      : ' Enter the output WebhookUrlWithRetries at the service against short failures.';
  const limit =
    hours < 0.1 ? 'An outage of minutes' : `An outage of more than ${formatDuration(hours * hourMs)}`;
  return warn(
    describe,
    `${limit} loses reports for good: switch lookups on (docs/operate/lookups.md).${setting}`,
  );
}
