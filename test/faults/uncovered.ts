import type { PermissionFile } from '../../local/gateway/permission-file.ts';
import { services } from './fault-control.ts';
import { parts } from './parts.ts';

/** What Lambda itself calls under a function's role. */
const pollerActions = new Set([
  ...['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  ...['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
]);

/** Who is granted calls to a service and is in no part of the suite, as `<caller> <service>`. */
export function uncovered({ functions }: PermissionFile): string[] {
  const covered = new Set(parts.map(({ caller, service }) => `${caller} ${service}`));
  const labels = new Set(parts.map(({ caller }) => caller.replace(' poller', '')));
  const granted = functions
    .filter(({ name }) => labels.has(name))
    .flatMap(({ name, granted: grants }) =>
      grants.map(
        ({ action }) => `${pollerActions.has(action) ? `${name} poller` : name} ${action.split(':')[0]}`,
      ),
    );
  const known: readonly string[] = services;
  return [...new Set(granted)].filter(
    (one) => known.includes(one.split(' ').at(-1) ?? '') && !covered.has(one),
  );
}
