import { expect, it } from 'vitest';
import { compileAccessLog } from '../../../../../local/services/api-gateway/access-log.ts';

const context = {
  ...{ requestId: 'one', 'identity.sourceIp': '192.0.2.1', routeKey: 'ANY /v1/{proxy+}' },
  ...{ status: '200', responseLatency: '12' },
};

it('the access log replaces names of its format by values of the request, and unknown ones by a dash', () => {
  const format = {
    from: '$context.identity.sourceIp, $context.status',
    error: '$context.error.responseType',
    of: { route: '$context.routeKey', version: 2 },
  };
  expect(compileAccessLog(JSON.stringify(format))(context)).toEqual({
    from: '192.0.2.1, 200',
    error: '-',
    of: { route: 'ANY /v1/{proxy+}', version: 2 },
  });
});

it('the access log writes names inside of values as text', () => {
  const lineOf = compileAccessLog('{"route":"$context.routeKey"}');
  const routeKey = 'ANY /"quoted",$context.status';
  expect(lineOf({ ...context, routeKey })).toEqual({ route: routeKey });
});
