import { describe, expect, it } from 'vitest';
import { CursorError } from '../../../../../functions/history/lists/cursor.ts';
import { createAnswerQuery } from '../../../../../functions/query/api/answer-query.ts';
import { dependencies, queryEvent } from './fakes.ts';

/** The parameters a question is refused for, each with what was expected. */
async function refusals(target: string, failure?: Error): Promise<Record<string, string>> {
  const { all, calls, recorded } = dependencies(failure);
  const { statusCode, headers = {}, body = '' } = await createAnswerQuery(all)(queryEvent(target));
  expect([statusCode, headers['content-type']]).toEqual([400, 'application/problem+json']);
  const { type, errors } = JSON.parse(body);
  expect(type).toBe('urn:sms-event-pipeline:problem:invalid-parameters');
  if (failure === undefined) expect(calls).toEqual([]);
  expect([recorded.lines, recorded.counts.size]).toEqual([[], 0]);
  expect(body).not.toMatch(/\d{7}/);
  const given: { parameter: string; detail: string }[] = errors;
  const byName = Object.fromEntries(given.map(({ parameter, detail }) => [parameter, detail]));
  expect(Object.keys(byName)).toHaveLength(given.length);
  return byName;
}

const range = (since: string, until: string) => `since=${since}&until=${until}`;

describe('the query API rejects', () => {
  it.each(['0', '101', '1e1', '-1', '2.5', ' 5', '', 'all'])('limit %j', async (limit) => {
    expect(await refusals(`/v1/replies?limit=${limit}`)).toEqual({
      limit: 'expected a whole number from 1 to 100',
    });
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-01-15',
    '2026-01-15T12:00:00',
    '2026-01-15T24:00:00Z',
    '1969-12-31T23:59:59Z',
    '3000-01-01T00:00:00Z',
    '2026-01-15T12:00:00+02:00',
    'yesterday',
    '',
  ])('since %j', async (since) => {
    expect(await refusals(`/v1/opt-outs?since=${since}`)).toEqual({
      since: expect.stringContaining('expected a time that exists'),
    });
  });

  it.each([
    ['/v1/opt-outs', range('2026-01-15T00:00:00Z', '2026-01-15T00:00:00Z')],
    ['/v1/replies', range('2026-01-15T00:00:00Z', '2026-01-15T01:00:00%2B02:00')],
    ['/v1/messages', `state=failed&${range('2026-01-16T00:00:00Z', '2026-01-15T00:00:00Z')}`],
    ['/v1/replies', 'since=2027-01-01T00:00:00Z'],
  ])('%s with since not before until: %s', async (path, query) => {
    expect(Object.keys(await refusals(`${path}?${query}`))).toEqual(['since']);
  });

  it('a status, and lists the accepted ones', async () => {
    const { status } = await refusals('/v1/phones/+12025550143/timeline?status=delivered,gone,lost');
    expect(status).toContain('accepted, queued, sent, unknown, expired');
  });

  it.each([
    ['failed', 'delivered', 'expired, rejected, failed, undelivered'],
    ['failed', 'failed,sent', 'expired, rejected, failed, undelivered'],
    ['pending', 'failed', 'accepted, queued, sent'],
  ])('a status that no message with state %s has: %s', async (state, status, accepted) => {
    expect(await refusals(`/v1/messages?state=${state}&status=${status}`)).toEqual({
      status: expect.stringContaining(accepted),
    });
  });

  it.each([
    ['no state', '/v1/messages', { state: 'expected failed, pending or unknown' }],
    ['an unknown state', '/v1/messages?state=delivered', { state: 'expected failed, pending or unknown' }],
    ['an unknown reason', '/v1/quarantine?reason=boredom', { reason: expect.any(String) }],
    [
      'an unknown parameter, and lists the known ones',
      '/v1/opt-outs?state=out',
      { state: 'no such parameter: there are since, until, by, source, limit, cursor' },
    ],
    [
      'a reason of messages that did not fail',
      '/v1/messages?state=pending&reason=spam',
      { reason: 'only failed messages have it: state=failed' },
    ],
    ['a text of one character', '/v1/replies?text=a', { text: 'expected at least two characters' }],
    ['an origin that is none', '/v1/opt-outs?by=robot', { by: 'expected person, operator or provider' }],
    [
      'any parameter where there is none',
      '/v1/messages/msg-1?verbose',
      { verbose: 'no such parameter: this query has no parameters' },
    ],
    [
      'a country that is no code',
      '/v1/messages?state=failed&country=Brazil',
      {
        country: 'expected the two letters of a country, for example BR',
      },
    ],
    [
      'a source that the pipeline does not have, and lists those that it has',
      '/v1/replies?source=third',
      { source: 'expected one of main' },
    ],
    ['a repeated parameter', '/v1/opt-outs?limit=5&limit=5', { limit: 'given more than once' }],
  ])('%s', async (_, target, expected) => {
    expect(await refusals(target)).toEqual(expected);
  });

  it.each([
    ...['12025550143', '+0012025550143', '+12025550143000000', '+1 202 555 0143', '+120255', 'ACME'].map(
      (phone) => [`/v1/phones/${phone}/timeline`, 'phone'] as const,
    ),
    ...['nonsense', '2026-01-15T11:00:00.000Z#req-1', `2026-01-15T11:00:00.000Z#${'r'.repeat(300)}#0`].map(
      (id) => [`/v1/quarantine/${id}`, 'entryId'] as const,
    ),
  ])('the path %s for its %s', async (path, parameter) => {
    expect(Object.keys(await refusals(path))).toEqual([parameter]);
  });

  it('a cursor of another list', async () => {
    expect(await refusals('/v1/replies?cursor=x', new CursorError())).toEqual({
      cursor: expect.stringContaining('made for another list'),
    });
  });

  it('several wrong parameters at once', async () => {
    const wrong = await refusals(
      '/v1/phones/unknown/timeline?limit=x&since=x&until=y&status=z&cursor=&page=2&page=3',
    );
    expect(Object.keys(wrong).sort()).toEqual(
      ['cursor', 'limit', 'page', 'phone', 'since', 'status', 'until'].sort(),
    );
  });

  it('a parameter with a phone number, without quoting it', async () => {
    const wrong = await refusals('/v1/replies?%2B12025550143=1&limit=12025550143&since=%2B12025550143');
    expect(Object.keys(wrong).sort()).toEqual(['(unknown)', 'limit', 'since']);
  });
});
