import { expect, it } from 'vitest';
import type { PermissionFile } from '../../../../../local/iam/permission-file.ts';
import { uncovered } from '../../../../../tools/drills/faults/uncovered.ts';

const granting = (name: string, ...actions: string[]): PermissionFile => ({
  functions: [{ name, granted: actions.map((action) => ({ action, resource: '*', used: 0 })), denied: [] }],
});

it('uncovered finds the operation without a row when its service has a row', () => {
  const granted = granting('worker', 'dynamodb:PutItem', 'dynamodb:DeleteItem', 'logs:PutLogEvents');
  expect(uncovered(granted)).toEqual(['worker dynamodb DeleteItem']);
});

it('distinguishes the calls of Lambda from those of the function', () => {
  expect(uncovered(granting('ingest', 'sqs:SendMessage', 'sqs:ReceiveMessage'))).toEqual([
    'ingest poller sqs ReceiveMessage',
  ]);
});

it('takes a row of a batch for the grant of its one call', () => {
  const actions = ['sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:ReceiveMessage'];
  expect(uncovered(granting('worker', ...actions))).toEqual([]);
});

it('excuses by name: a function, its calls to a service, or one operation', () => {
  expect(uncovered(granting('query', 'dynamodb:Query'))).toEqual([]);
  expect(uncovered(granting('contact-sync', 'sqs:SendMessage', 'sqs:DeleteMessage'))).toEqual([]);
  expect(uncovered(granting('publisher', 'dynamodb:DescribeStream', 'dynamodb:GetShardIterator'))).toEqual(
    [],
  );
  expect(uncovered(granting('publisher', 'dynamodb:GetItem'))).toEqual(['publisher dynamodb GetItem']);
});

it('uncovered includes the callers of the SMS service, which need no grant', () => {
  expect(uncovered({ functions: [] })).toEqual([]);
  expect(uncovered({ functions: [] }, [])).toEqual([
    'setup sms-service POST /v1/auth/token',
    'setup sms-service GET /v1/account/webhook',
    'setup sms-service PUT /v1/account/webhook',
    'opt-out sms-service POST /v1/contacts/store',
    'contact-sync sms-service POST /v1/contacts/store',
    'billing-watch sms-service GET /v1/billing/cards',
  ]);
});
