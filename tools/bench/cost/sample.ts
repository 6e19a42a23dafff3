import { join } from 'node:path';
import pMap from 'p-map';
import * as z from 'zod';
import { signRequest } from '../../../contract/signature/sign.ts';
import { createPoster, type Poster } from '../../../local/sms-service/poster.ts';
import { shippedContract } from '../../support/contracts.ts';
import { localBus } from '../../support/local-bus.ts';
import { type LocalPipeline, withPipeline } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';
import { type Counters, differenceOf, readCounters } from './counters.ts';
import { roundsOf, type SampleEvent } from './sample-events.ts';
import { type StoredWrites, storedWrites } from './stored-writes.ts';
import { type TemplateFacts, templateFacts } from './template-facts.ts';

const metricLine = z.looseObject({
  service: z.string(),
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({ Namespace: z.string(), Metrics: z.array(z.object({ Name: z.string() })) }),
    ),
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

interface SampleOptions {
  readonly messages: number;
  readonly replyShare: number;
  /** Events that come one by one, each when the one before is stored and published. */
  readonly alone: number;
  /** `sms:<name>` by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Events and what was counted while they were sent, stored and published. */
export interface Phase {
  readonly events: number;
  readonly counters: Counters;
  /** The size of the requests' bodies. */
  readonly requestBytes: number;
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

const concurrency = 16;

/** Starts a pipeline, sends it the sample and counts. */
export function takeSample(options: SampleOptions): Promise<Sample> {
  return withPipeline(options.settings, (pipeline) => sampleOf(pipeline, options));
}

async function sampleOf(pipeline: LocalPipeline, options: SampleOptions): Promise<Sample> {
  const poster = createPoster();
  try {
    const sender = await createSender(pipeline, poster);
    const { messages, replyShare } = options;
    // As many at a time as later, so that all processes have started when counting begins.
    const warmUp = roundsOf('warm-up', { messages: Math.ceil(messages / 2), replyShare });
    await sender.send(warmUp, concurrency);
    const busyRounds = roundsOf('busy', { messages, replyShare });
    const busy = await phase(pipeline, busyRounds, () => sender.send(busyRounds, concurrency));
    const aloneRounds = roundsOf('alone', { messages: Math.ceil(options.alone / 3), replyShare: 0 });
    const alone = await phase(pipeline, aloneRounds, async () => {
      for (const event of aloneRounds.flat()) await sender.send([[event]], 1);
    });
    const events = [warmUp, busyRounds, aloneRounds].flat(2).length;
    const facts = templateFacts(join(pipeline.directory, 'cdk.out'));
    return {
      ...{ busy, alone, facts },
      stored: { ...(await storedWrites(pipeline)), events },
      metrics: Object.keys(facts.memory).flatMap((name) => emittedMetrics(pipeline.functionLog(name))),
    };
  } finally {
    poster.close();
  }
}

async function phase(
  pipeline: LocalPipeline,
  rounds: readonly (readonly SampleEvent[])[],
  send: () => Promise<void>,
): Promise<Phase> {
  const before = await readCounters(pipeline);
  await send();
  const counters = differenceOf(before, await readCounters(pipeline));
  const events = rounds.flat();
  return {
    events: events.length,
    counters,
    requestBytes: events.reduce((sum, { body }) => sum + body.length, 0),
  };
}

interface Sender {
  /** Sends round after round, each when the one before is stored and published. */
  send(rounds: readonly (readonly SampleEvent[])[], atOnce: number): Promise<void>;
}

async function createSender(pipeline: LocalPipeline, poster: Poster): Promise<Sender> {
  const { webhookUrl, outputs, port } = pipeline;
  const secret = await pipeline.webhookSecret();
  const bus = localBus(port);
  const published = new Set<unknown>();
  let next = 0;
  let sent = 0;
  const isPublished = async () => {
    const answer = await bus.publishedAfter(next);
    next = answer.next;
    for (const { event } of answer.events) published.add(event.detail.historyEventId);
    return published.size >= sent;
  };
  const post = async ({ id, body }: SampleEvent) => {
    const unsigned = { body, id, now: Date.now(), url: webhookUrl };
    const headers = signRequest(shippedContract.webhook.signature, unsigned, secret);
    const status = await poster.post(webhookUrl, { ...headers, 'content-type': 'application/json' }, body);
    if (status !== 200) throw new Error(`an event of the sample was answered with ${status}`);
  };
  return {
    send: async (rounds, atOnce) => {
      for (const round of rounds) {
        await pMap(round, post, { concurrency: atOnce });
        sent += round.length;
        await pipeline.untilQueueIsEmpty(outputs.EventsQueueUrl, 300_000);
        await until('all is published', isPublished, 300_000);
      }
    },
  };
}
