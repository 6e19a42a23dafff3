import { expect, it } from 'vitest';
import { compileAccessLog } from '../../../../../local/services/api-gateway/access-log.ts';

const context = {
  requestId: 'request-1',
  'identity.sourceIp': '192.0.2.1',
  routeKey: 'POST /webhooks/sms',
  status: '200',
  responseLatency: '12',
};

it('an access log line has the values in place of their names, at any depth, and a dash for a missing one', () => {
  const line = compileAccessLog(
    JSON.stringify({
      fixed: 'as it is',
      number: 1,
      request: '$context.requestId',
      text: '$context.routeKey from $context.identity.sourceIp: $context.status',
      missing: '$context.error.message',
      nested: { list: ['$context.responseLatency', 2] },
    }),
  );
  expect(line(context)).toEqual({
    fixed: 'as it is',
    number: 1,
    request: 'request-1',
    text: 'POST /webhooks/sms from 192.0.2.1: 200',
    missing: '-',
    nested: { list: ['12', 2] },
  });
  expect(line({ ...context, requestId: 'request-2' })).toMatchObject({ request: 'request-2' });
});

it('an access log is refused in any other format', () => {
  expect(() => compileAccessLog('$context.requestId')).toThrow('is not supported on one machine');
  expect(() => compileAccessLog('[]')).toThrow('is not supported on one machine');
});
