import { expect, it } from 'vitest';
import { CallCounts } from '../../../../local/gateway/call-counts.ts';

it('a call without an answer counts as failed, and as one chunk even with an empty body', () => {
  const counts = new CallCounts();
  const call = { caller: undefined, service: 'sms-service', operation: 'GET /v1/account/webhook' } as const;
  counts.add(call, { requestBytes: 0, answerBytes: 0, status: undefined });
  expect(counts.state.calls).toEqual([
    {
      ...{ caller: 'unknown', service: 'sms-service', operation: 'GET /v1/account/webhook' },
      ...{ calls: 1, failed: 1, requestBytes: 0, requestChunks: 1, answerBytes: 0 },
    },
  ]);
});
