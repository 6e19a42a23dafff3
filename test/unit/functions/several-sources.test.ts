import { describe, expect, it } from 'vitest';
import { createAnswerQuery } from '../../../functions/query/api/answer-query.ts';
import { memoryHistory } from '../../support/fakes/history.ts';
import { dependencies, queryEvent } from './query/api/fakes.ts';
import { queued } from './receive/worker/queue-messages.ts';
import { status, workerUnderTest } from './receive/worker/worker-under-test.ts';

const reply = (id: string, text: string, second: number) => ({
  type: 'sms.reply',
  data: {
    id,
    from: '+12025550143',
    text,
    message_id: 'm1',
    occurred_at: `2026-01-15T12:00:0${second}.000Z`,
  },
});

/** One history, the workers of two sources, and the query API. */
function twoSources() {
  const history = memoryHistory();
  const workerOf = (source: string) =>
    workerUnderTest({
      source,
      storeMessage: history.storeMessage,
      storeReply: history.storeReply,
      optOuts: history.register,
    });
  const { all } = dependencies();
  const answer = createAnswerQuery({
    ...all,
    reader: history,
    lists: history,
    optOuts: history.register,
    sources: ['main', 'backup'],
  });
  const ask = async (target: string, body?: object) => {
    const parts = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const { statusCode, body: text = '' } = await answer(queryEvent(target, parts));
    return { status: statusCode, ...JSON.parse(text) };
  };
  return { history, ask, main: workerOf('main'), backup: workerOf('backup') };
}

describe('two sources with the same ids', () => {
  it('have messages of their own, in the conversation of one number', async () => {
    const { main, backup, ask } = twoSources();
    expect(await main.work([queued('q1', status('m1', 'delivered'))])).toEqual([]);
    expect(await backup.work([queued('q2', status('m1', 'failed'))])).toEqual([]);
    expect(await ask('/v1/messages/main/m1')).toMatchObject({ messageId: 'm1', status: 'delivered' });
    expect(await ask('/v1/messages/backup/m1')).toMatchObject({
      source: 'backup',
      messageId: 'm1',
      status: 'failed',
    });
    const { entries } = await ask('/v1/phones/+12025550143/timeline');
    expect(entries).toHaveLength(2);
  });

  it('are distinguished where an id is ambiguous', async () => {
    const { main, backup, ask } = twoSources();
    await backup.work([queued('q1', status('m1')), queued('q2', status('m2'))]);
    expect(await ask('/v1/messages/m1')).toMatchObject({ source: 'backup', messageId: 'm1' });
    expect(await ask('/v1/conversations/m~backup/m1')).toMatchObject({ number: '+12025550143' });
    expect(await ask('/v1/conversations/m~m2')).toMatchObject({ number: '+12025550143' });
    await main.work([queued('q3', status('m1'))]);
    expect(await ask('/v1/messages/m1')).toMatchObject({
      status: 400,
      type: expect.stringMatching(/:ambiguous-id$/),
      detail: expect.stringContaining('main/<id> or backup/<id>'),
    });
    const { results } = await ask('/v1/search', { q: 'm1' });
    const same = { phone: '+12025550143', status: expect.any(String), statusAt: expect.any(String) };
    expect(results).toEqual([
      { kind: 'message', messageId: 'm1', ...same, of: 'm~m1' },
      { kind: 'message', source: 'backup', messageId: 'm1', ...same, of: 'm~backup/m1' },
    ]);
  });

  it('share the register of opt-outs, whose statements keep the source', async () => {
    const { main, backup, history } = twoSources();
    await backup.work([queued('q1', reply('r1', 'STOP', 1))]);
    await main.work([queued('q2', reply('r1', 'Thanks', 2))]);
    expect((await history.register.number('+12025550143'))?.statements).toMatchObject([
      { state: 'out', by: 'person', source: 'backup', replyId: 'r1' },
    ]);
    await main.work([queued('q3', reply('r2', 'START', 3))]);
    expect(await history.register.read('+12025550143')).toEqual({ state: 'in' });
  });
});
