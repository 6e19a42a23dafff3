import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { expect, it } from 'vitest';
import { bodyOf, courseOf } from '../../../tools/engine/reports.ts';
import { localBus } from '../../../tools/support/local-bus.ts';
import { lambdaMetricsSchema } from '../../../tools/support/local-pipeline.ts';
import { until } from '../../../tools/support/until.ts';
import { deliverSigned, type Started } from './post-signed.ts';

const mostLineBytes = 570;

/** A machine with much else to do has slow answers, and with them lines of warnings, redeliveries and repeated events. */
const isProblem = (line: string): boolean => ['WARN', 'ERROR'].includes(JSON.parse(line).level);

export function functionsLogLittle(pipeline: Started): void {
  it('ingest logs nothing for accepted events, and worker and publisher log one short line per invocation', async () => {
    const { port, functionLog } = pipeline();
    const logged = new Map(['ingest', 'worker', 'publisher'].map((name) => [name, functionLog(name).length]));
    const linesOf = (name: string) => functionLog(name).slice(logged.get(name)).split('\n').slice(0, -1);
    const invocations = async (name: string) => {
      const metrics = await fetch(`http://127.0.0.1:${port + 4}/local/lambda/metrics`);
      return lambdaMetricsSchema.parse(await metrics.json()).functions[name]?.invocations ?? 0;
    };
    const messages = 38;
    const messageIds = Array.from({ length: messages }, () => randomUUID());
    const ids = new Set<unknown>(messageIds);
    const reports = messageIds.flatMap((id) => courseOf(id));
    await pMap(reports, (report) => deliverSigned(pipeline(), bodyOf(report), report.eventId), {
      concurrency: 8,
    });
    // Reports of a message that came in one batch are published as one change.
    await until('each message is published as delivered', async () => {
      const published = await localBus(port).published();
      const delivered = published.filter(({ detail }) => detail.status === 'delivered');
      return (
        new Set(delivered.map(({ detail }) => detail.messageId).filter((id) => ids.has(id))).size === messages
      );
    });
    const counted = { worker: 'EventsStored', publisher: 'EventsPublished' };
    for (const [name, metric] of Object.entries(counted))
      await until(`a line of the ${name} has ${metric}`, () =>
        linesOf(name).some((line) => metric in JSON.parse(line)),
      );

    expect(linesOf('ingest').filter((line) => !isProblem(line))).toEqual([]);
    for (const name of Object.keys(counted)) {
      const lines = linesOf(name).filter((line) => !isProblem(line));
      expect(lines.length).toBeLessThanOrEqual(await invocations(name));
      for (const line of lines) {
        expect(line).toMatch(/^\{"_aws":/);
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(mostLineBytes);
      }
    }
  });

  it('no log of the run has a number, also where ids and words are made of one', async () => {
    const { directory, outputs, untilQueueIsEmpty } = pipeline();
    const number = '+12025550188';
    const report = { to: number, sendId: `send ${number}`, second: 1 };
    const bodies = [
      bodyOf({ ...report, messageId: `tel:${number}`, status: 'delivered' }),
      bodyOf({ ...report, messageId: '12025550188-1', status: 'undelivered' }),
      bodyOf({ ...report, messageId: 'numbers-3', status: 'sent', word: `HELD ${number}` }),
      { ...bodyOf({ ...report, messageId: `tel:${number}`, status: 'sent' }), type: `of ${number}` },
    ];
    for (const [index, body] of bodies.entries())
      await deliverSigned(pipeline(), body, `2025550188-${index}`);
    await untilQueueIsEmpty(outputs.EventsQueueUrl);
    for (const file of readdirSync(join(directory, 'logs')))
      expect(readFileSync(join(directory, 'logs', file), 'utf8'), file).not.toMatch(/202\D{0,3}555\D?0188/);
  });
}
