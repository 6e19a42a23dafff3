import type { PermissionFile } from '../../local/gateway/permission-file.ts';
import { services } from './fault-control.ts';
import { notSpoiled, parts } from './parts.ts';

/** What Lambda itself calls under a function's role. */
const pollerActions = new Set([
  ...['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  ...['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
]);

/** Who is granted calls to a service, has no row, and is not excused, as `<caller> <service>`. */
export function uncovered({ functions }: PermissionFile): string[] {
  const covered = new Set(parts.map(({ caller, service }) => `${caller} ${service}`));
  const isKnown = (service: string) => services.some((one) => one === service);
  const granted = functions.flatMap(({ name, granted: grants }) =>
    grants.map(({ action }) => ({
      name,
      caller: pollerActions.has(action) ? `${name} poller` : name,
      service: action.split(':')[0] ?? '',
    })),
  );
  const missing = granted
    .filter(({ name, caller, service }) => isKnown(service) && !isExcused(name, caller, service))
    .map(({ caller, service }) => `${caller} ${service}`);
  return [...new Set(missing)].filter((one) => !covered.has(one));
}

function isExcused(name: string, caller: string, service: string): boolean {
  return [name, `${caller} ${service}`].some((one) => notSpoiled[one] !== undefined);
}
