import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { detailTypes } from '../../../functions/publish/shapes.ts';
import { printVerdict } from '../../engine/print.ts';
import { replyEvent } from '../../engine/reports.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { readFacts } from './fold-traffic.ts';

const course = ['queued', 'sent', 'delivered'] as const;
/** Messages under way at the same time. */
const lanes = 8;

/**
 * Moves from one pipeline to another while the service sends: join, switch the address, join again, compare. Is every acknowledged event in the new
 * history, and was each change of a status published once by one of the two? @returns the exit code
 */
export async function playMove(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { messages: { type: 'string', default: '2000' } } });
  const count = wholeNumber('messages', values.messages, 40);
  const startedAt = Date.now();
  await using before = new Run(await startLocalPipeline());
  await using after = new Run(await startLocalPipeline());
  const broken: string[] = [];

  /** The pipeline that the service sends to. */
  let sentTo = before;
  const sent = { before: 0, after: 0 };
  const numberOf = (index: number) => `+120255501${String(index % 100).padStart(2, '0')}`;
  let next = 0;
  async function sendLane(): Promise<void> {
    for (let index = next++; index < count; index = next++) {
      const messageId = `move-${index}`;
      for (const [second, status] of course.entries()) {
        sent[sentTo === before ? 'before' : 'after'] += 1;
        await sentTo.sender.deliver({
          messageId,
          status,
          second,
          to: numberOf(index),
          eventId: `${messageId}-${status}`,
        });
      }
      if (index % 10 !== 0) continue;
      const text = index % 20 === 0 ? 'STOP' : 'see you at nine';
      await sentTo.sender.deliverOther(replyEvent(numberOf(index), text, `reply-${index}`));
    }
  }
  const sending = Promise.all(Array.from({ length: lanes }, sendLane));

  const isAt = (share: number) => until('some messages are sent', () => next >= count * share, 1_200_000);
  const files: string[] = [];
  /** Joins what the old pipeline has into the new one, by a file. */
  async function joinOnce(): Promise<string> {
    const file = join(after.pipeline.directory, `history-${files.length}.jsonl`);
    files.push(file);
    const exported = await before.sms('history', 'export', '--out', file);
    const joined = await after.sms('history', 'join', '--from-file', file, '--confirm', '--json', 'counts');
    for (const { code, err } of [exported, joined])
      if (code !== 0) broken.push(`a command ended with ${code}: ${err}`);
    return joined.out;
  }
  await isAt(0.3);
  console.log(`first join: ${await joinOnce()}`);
  await isAt(0.5);
  sentTo = after;
  console.log(`switched after ${sent.before} events, ${seconds(startedAt)} s`);
  await isAt(0.7);
  // A request that was under way at the switch may still be in a queue of the old pipeline.
  await before.pipeline.untilQueueIsEmpty(before.pipeline.outputs.EventsQueueUrl, 600_000);
  console.log(`second join: ${await joinOnce()}`);
  await sending;
  await after.pipeline.untilQueueIsEmpty(after.pipeline.outputs.EventsQueueUrl, 600_000);
  const compared = await after.sms('history', 'compare', '--from-file', files.at(-1) ?? '', '--json');
  const { counts } = JSON.parse(compared.out);
  for (const kind of ['message', 'reply', 'opt-out'])
    for (const outcome of ['added', 'completed', 'conflict', 'repaired', 'broken', 'unreadable'])
      if (counts[kind]?.[outcome] !== undefined)
        broken.push(`${counts[kind][outcome]} of ${kind} ${outcome} after the joins`);

  const facts = await readFacts(after.pipeline.dynamoDb, after.pipeline.outputs.HistoryTableName ?? '');
  for (let index = 0; index < count; index++) {
    const found = facts.get(`message#move-${index}`) ?? [];
    const reports = found.filter((line) => line.startsWith(`move-${index}-`));
    if (reports.length !== course.length || !found.some((line) => line.startsWith('status delivered')))
      broken.push(`move-${index} has ${reports.length} reports: ${found.join('; ')}`);
    if (index % 10 === 0 && !facts.has(`reply#reply-${index}`)) broken.push(`reply-${index} is missing`);
    if (index % 20 === 0 && facts.get(`optout#${numberOf(index)}`)?.includes('state out') !== true)
      broken.push(`${index}: the opt-out is missing`);
  }

  await until(
    'everything is published',
    async () => {
      await delay(1000);
      const [old, fresh] = [await before.readBus(), await after.readBus()];
      const ids = Array.from(
        { length: count },
        (_, index) => `${detailTypes.statusChanged} move-${index} delivered`,
      );
      return ids.every((id) => old.facts.has(id) || fresh.facts.has(id));
    },
    600_000,
  );
  const both = [...before.published.facts.keys()].filter((fact) => after.published.facts.has(fact));
  broken.push(...both.map((fact) => `${fact} was published by both`));
  for (const run of [before, after])
    for (const { about, type, eventIds } of run.published.facts.values())
      if ([...eventIds.values()].some((times) => times > 1))
        broken.push(`${type} of ${about} was published twice`);

  const figures: readonly (readonly [string, number])[] = [
    ['messages', count],
    ['events to the old pipeline', sent.before],
    ['events to the new pipeline', sent.after],
    ['items in the new history', facts.size],
    ['facts published by the old pipeline', before.published.facts.size],
    ['facts published by the new pipeline', after.published.facts.size],
    ['facts published by both', both.length],
    ['differences', broken.length],
    ['seconds in all', seconds(startedAt)],
  ];
  console.log(renderTable(figures.map(([name, figure]) => [name, String(figure)])));
  return printVerdict(broken);
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
