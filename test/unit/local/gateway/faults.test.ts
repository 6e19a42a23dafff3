import { describe, expect, it } from 'vitest';
import { handleSettings } from '../../../../local/aws-protocol/settings-endpoint.ts';
import { Faults, type FaultyCall } from '../../../../local/gateway/faults.ts';
import { callListener } from '../../../support/in-memory-http.ts';

function faultsOf(...faults: object[]) {
  const all = new Faults();
  all.replace({ faults });
  /** The kind of the fault that hits a call, or 'ok'. */
  const outcome = (caller: string | undefined, operation = 'GetItem', service = 'dynamodb') =>
    all.take({ caller, service, operation } satisfies FaultyCall)?.kind ?? 'ok';
  return { all, outcome };
}

describe('a fault', () => {
  it('with a caller hits only the function or its poller with this label', () => {
    const { outcome } = faultsOf(
      { caller: 'worker poller', service: 'sqs', operation: 'ReceiveMessage', kind: 'throttle' },
      { caller: 'worker poller', service: 'dynamodb', operation: 'GetRecords', kind: 'refuse' },
      { caller: 'worker', service: 'dynamodb', kind: 'fail' },
    );
    expect(outcome('worker poller', 'ReceiveMessage', 'sqs')).toBe('throttle');
    expect(outcome('worker poller', 'GetRecords')).toBe('refuse');
    expect(outcome('worker')).toBe('fail');
    expect(outcome('worker poller', 'DeleteMessage', 'sqs')).toBe('ok');
    expect(outcome('ingest poller', 'ReceiveMessage', 'sqs')).toBe('ok');
    expect(outcome('ingest')).toBe('ok');
    expect(outcome('worker poller')).toBe('ok');
  });

  it('without a caller hits every caller, and only its service', () => {
    const { outcome } = faultsOf({ service: 'dynamodb', kind: 'fail' });
    expect(['worker', 'worker poller', undefined].map((caller) => outcome(caller))).toEqual(
      Array(3).fill('fail'),
    );
    expect(outcome('worker', 'ReceiveMessage', 'sqs')).toBe('ok');
  });

  it('lets the first calls pass, hits its number of calls, and leaves the rest to the next fault', () => {
    const { all, outcome } = faultsOf(
      { caller: 'worker', service: 'dynamodb', operation: 'GetItem', kind: 'throttle', after: 1, calls: 2 },
      { service: 'dynamodb', kind: 'fail', calls: 1 },
    );
    const outcomes = Array.from({ length: 5 }, () => outcome('worker'));
    expect(outcomes).toEqual(['ok', 'throttle', 'throttle', 'fail', 'ok']);
    expect(all.state).toEqual({
      faults: [
        {
          ...{ caller: 'worker', service: 'dynamodb', operation: 'GetItem', kind: 'throttle' },
          ...{ after: 1, calls: 2, seen: 5, hit: 2, abandoned: 0 },
        },
        {
          ...{ service: 'dynamodb', kind: 'fail' },
          ...{ after: 0, calls: 1, seen: 5, hit: 1, abandoned: 0 },
        },
      ],
    });
  });
});

describe('an invalid list of faults', () => {
  it.each([
    [
      'a kind that there is not',
      { faults: [{ service: 'sqs', kind: 'slow' }] },
      /faults\.0\.kind: .*"refuse"/,
    ],
    ['a misspelt field', { faults: [{ service: 'sqs', kind: 'fail', call: 1 }] }, /faults\.0: .*"call"/],
    ['no calls', { faults: [{ service: 'sqs', kind: 'fail', calls: 0 }] }, /faults\.0\.calls/],
    [
      'a caller of the SMS service',
      { faults: [{ service: 'sms-service', caller: 'setup', kind: 'fail' }] },
      /faults\.0\.caller: .*leave it out/,
    ],
    [
      'a path of the SMS service without its method',
      { faults: [{ service: 'sms-service', operation: '/v1/contacts', kind: 'fail' }] },
      /faults\.0\.operation: .*<METHOD> <path>/,
    ],
    ['no JSON', '{', /not JSON/],
  ])('is reported, and the faults are kept: %s', async (_, input, message) => {
    const { all } = faultsOf({ service: 'dynamodb', kind: 'fail' });
    const before = all.state;
    const body = typeof input === 'string' ? input : JSON.stringify(input);
    const answer = await callListener(
      (request, response) => void handleSettings(all, { faults: [] }, request, response),
      { method: 'PUT', body },
    );
    expect(answer).toMatchObject({ status: 400, json: { message: expect.stringMatching(message) } });
    expect(all.state).toEqual(before);
  });
});
