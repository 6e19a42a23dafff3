import { join } from 'node:path';
import pMap from 'p-map';
import * as z from 'zod';
import { loopbackUrl } from '../../../local/aws-protocol/http.ts';
import { localBus } from '../../support/local-bus.ts';
import { type LocalPipeline, withPipeline } from '../../support/local-pipeline.ts';
import { postSigned } from '../../support/post-signed.ts';
import { until } from '../../support/until.ts';
import { type Counters, differenceOf, readCounters } from './counters.ts';
import { roundsOf, type SampleEvent } from './sample-events.ts';
import { type StoredWrites, storedWrites } from './stored-writes.ts';
import { type TemplateFacts, templateFacts } from './template-facts.ts';

/** The share of replies among all events. */
const replyShare = 0.05;
/** Messages whose events come one by one: enough that an event that was slow does not matter; each takes two windows. */
const messagesAlone = 10;
const concurrency = 16;

const metricLine = z.looseObject({
  service: z.string(),
  _aws: z.object({
    CloudWatchMetrics: z.array(z.object({ Metrics: z.array(z.object({ Name: z.string() })) })),
  }),
});

/** Returns the custom metrics in a function's log (embedded metric format), each once: `<service> <name>`. */
function emittedMetrics(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes('"_aws"'));
  const names = lines.flatMap((line) => {
    const { service, _aws } = metricLine.parse(JSON.parse(line));
    return _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => `${service} ${Name}`));
  });
  return [...new Set(names)];
}

/** Events and what was counted while they were sent, stored and published. */
export interface Phase {
  readonly events: number;
  readonly counters: Counters;
}

/** The measurements of the real bundles on the local stacks. */
export interface Sample {
  /** Many events at a time, so that batches are full. */
  readonly busy: Phase;
  /** One event at a time, so that each is a batch of its own. */
  readonly alone: Phase;
  /** The figures of all events together, including the warm-up. */
  readonly stored: StoredWrites & { readonly events: number };
  readonly facts: TemplateFacts;
  /** Custom metrics that were emitted, by service and name. */
  readonly metrics: readonly string[];
}

/**
 * Starts a pipeline, sends it the sample and counts.
 *
 * @param settings `sms:<name>` by name
 */
export function takeSample(messages: number, settings: Readonly<Record<string, string>>): Promise<Sample> {
  return withPipeline(settings, async (pipeline) => {
    const send = await createSender(pipeline);
    // As many at a time as later, so that all processes have started when counting begins.
    const warmUp = roundsOf('warm-up', { messages: Math.ceil(messages / 2), replyShare });
    await send(warmUp);
    const phase = async (rounds: SampleEvent[][]): Promise<Phase> => {
      const before = await readCounters(pipeline);
      await send(rounds);
      return {
        events: rounds.flat().length,
        counters: differenceOf(before, await readCounters(pipeline)),
      };
    };
    const busy = await phase(roundsOf('busy', { messages, replyShare }));
    const oneByOne = roundsOf('alone', { messages: messagesAlone, replyShare: 0 }).flat();
    const alone = await phase(oneByOne.map((event) => [event]));
    const facts = templateFacts(join(pipeline.directory, 'cdk.out'));
    const { port, dynamoDb, outputs } = pipeline;
    const stored = await storedWrites(dynamoDb, loopbackUrl(port + 2), outputs.HistoryTableName);
    return {
      ...{ busy, alone, facts },
      stored: { ...stored, events: warmUp.flat().length + busy.events + alone.events },
      metrics: Object.keys(facts.memory).flatMap((name) => emittedMetrics(pipeline.functionLog(name))),
    };
  });
}

/** Sends round after round, each when the one before is stored and published. */
type Send = (rounds: readonly (readonly SampleEvent[])[]) => Promise<void>;

async function createSender(pipeline: LocalPipeline): Promise<Send> {
  const secret = await pipeline.webhookSecret();
  const bus = localBus(pipeline.port);
  const published = new Set<unknown>();
  let next = 0;
  let sent = 0;
  const isPublished = async () => {
    const answer = await bus.publishedAfter(next);
    next = answer.next;
    for (const { event } of answer.events) published.add(event.detail.historyEventId);
    return published.size >= sent;
  };
  const post = async ({ id, content }: SampleEvent) => {
    const status = await postSigned(pipeline, content, id, { secret });
    if (status !== 200) throw new Error(`an event of the sample was answered with ${status}`);
  };
  return async (rounds) => {
    for (const round of rounds) {
      await pMap(round, post, { concurrency });
      sent += round.length;
      await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl, 300_000);
      await until('all is published', isPublished, 300_000);
    }
  };
}
