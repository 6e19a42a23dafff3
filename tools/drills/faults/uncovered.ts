import type { PermissionFile } from '../../../local/iam/permission-file.ts';
import { services } from '../../engine/fault-control.ts';
import { notSpoiled, parts } from './parts.ts';
import type { Part } from './spoiled-calls.ts';

/** The calls that a function may make to a service. */
type Call = Pick<Part, 'caller' | 'operation'> & { readonly service: string };

/** The calls that Lambda itself makes under a function's role. */
const pollerActions = new Set([
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
]);

const token = 'POST /v1/auth/token';
const contacts = 'POST /v1/contacts/store';

/** The callers of the SMS service. They are listed by hand, because no permission names them. */
const smsServiceCalls: Readonly<Record<string, readonly string[]>> = {
  setup: [token, 'GET /v1/account/webhook', 'PUT /v1/account/webhook'],
  'opt-out': [token, contacts],
  'contact-sync': [token, contacts],
  'billing-watch': [token, 'GET /v1/billing/cards'],
};

/**
 * Returns the calls that the drill neither spoils nor excuses, as `<caller> <service> <operation>`. It knows the calls by the permissions of
 * the functions, and those to the SMS service by {@link smsServiceCalls}.
 */
export function uncovered({ functions }: PermissionFile, rows: readonly Part[] = parts): string[] {
  const isKnown = (service: string) => services.some((one) => one === service);
  const granted = functions.flatMap(({ name, granted: grants }) =>
    grants.map(({ action }) => callOf(name, action)),
  );
  const byHand = Object.entries(smsServiceCalls).flatMap(([caller, operations]) =>
    operations.map((operation) => ({ caller, service: 'sms-service', operation })),
  );
  const covered = new Set(rows.map(keyOf));
  const missing = [...granted, ...byHand].filter(
    (call) => isKnown(call.service) && !covered.has(keyOf(call)) && !isExcused(call),
  );
  return [...new Set(missing.map(keyOf))];
}

function callOf(name: string, action: string): Call {
  const [service = '', operation = ''] = action.split(':');
  return { caller: pollerActions.has(action) ? `${name} poller` : name, service, operation };
}

/** The permission for `SendMessageBatch` of SQS is `sqs:SendMessage`, and so on. */
function keyOf({ caller, service, operation }: Call): string {
  return `${caller} ${service} ${service === 'sqs' ? operation.replace(/Batch$/, '') : operation}`;
}

function isExcused({ caller, service, operation }: Call): boolean {
  const [name = ''] = caller.split(' ');
  const anyPoller = caller.replace(name, 'any');
  const exact = [caller, anyPoller].map((who) => `${who} ${service} ${operation}`);
  const excuses = [name, `${caller} ${service}`, ...exact];
  return excuses.some((excuse) => notSpoiled[excuse] !== undefined);
}
