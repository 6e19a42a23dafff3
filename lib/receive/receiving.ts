import { Annotations, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ContractFacts } from '../../contract/events/contract-facts.ts';
import type { PipelineOptions } from '../options/options.ts';
import { addSource, type Source, type SourceContext } from './source.ts';

/** The source `main`, and what it shares with the others. */
export interface Receiving extends Source, SourceContext {
  /** The names of all sources. Those that are added later are answered for, too. */
  readonly sources: string[];
  /** The contract of each source. */
  readonly contracts: ContractFacts[];
}

/** @param registration the scope of the setup function */
export function addReceiving(
  scope: Construct,
  registration: Construct,
  options: PipelineOptions,
  context: SourceContext & Pick<Receiving, 'sources' | 'contracts'>,
): Receiving {
  warnOfHotLists(scope, options);
  warnOfQuota(scope, options);
  warnOfSmallBurst(scope, options);
  return { ...addSource(scope, registration, options, context), ...context };
}

/** One key of an index accepts 1,000 writes a second, and an event rarely writes into a list more than once. */
const eventsPerListKey = 1000;

function warnOfHotLists(scope: Construct, { webhook, listShards }: PipelineOptions): void {
  // Values that are known at deployment only cannot be compared here.
  if (Token.isUnresolved(webhook.ratePerSecond) || Token.isUnresolved(listShards)) return;
  const accepted = listShards * eventsPerListKey;
  if (webhook.ratePerSecond > accepted)
    Annotations.of(scope).addWarningV2(
      'sms-pipeline:hot-lists',
      `The webhook accepts ${webhook.ratePerSecond} requests a second (webhook.ratePerSecond, setting sms:throttleRatePerSecond), but the lists of messages accept ${accepted} events a second. Above that DynamoDB throttles the worker, and events wait in the queue. Set listShards (setting sms:listShards) to ${Math.ceil(webhook.ratePerSecond / eventsPerListKey)}: docs/reference/data-model.md#shards.`,
    );
}

/** API Gateway refills its bucket of `burst` requests at the rate, and rejects what finds it empty ("Throttle requests to your HTTP APIs", developer guide). */
function warnOfSmallBurst(scope: Construct, { webhook: { ratePerSecond, burst } }: PipelineOptions): void {
  if (Token.isUnresolved(ratePerSecond) || Token.isUnresolved(burst) || burst * 10 >= ratePerSecond) return;
  Annotations.of(scope).addWarningV2(
    'sms-pipeline:small-burst',
    `webhook.burst is ${burst}, and webhook.ratePerSecond is ${ratePerSecond}: API Gateway answers 429 to requests that come at once, long before the rate is reached. Set burst (setting sms:throttleBurst) to about the rate.`,
  );
}

/** What an account may accept a second, and at once, unless AWS has raised it ("Amazon API Gateway quotas", developer guide). */
const usualQuota = { ratePerSecond: 10_000, burst: 5000 };
const smallQuota = { ratePerSecond: 2500, burst: 1250 };
const regionsOfSmallQuota: ReadonlySet<string> = new Set([
  'af-south-1',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-south-1',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'mx-central-1',
]);

/** The quota of the account is not known at synth, so that a larger throttle brings a warning and no error. */
function warnOfQuota(scope: Construct, { webhook }: PipelineOptions): void {
  const { region } = Stack.of(scope);
  const quota = regionsOfSmallQuota.has(region) ? smallQuota : usualQuota;
  const exceeded = (['ratePerSecond', 'burst'] as const).filter(
    (name) => !Token.isUnresolved(webhook[name]) && webhook[name] > quota[name],
  );
  if (exceeded.length === 0) return;
  const found = exceeded.map((name) => `webhook.${name} is ${webhook[name]} (the quota ${quota[name]})`);
  Annotations.of(scope).addWarningV2(
    'sms-pipeline:throttle-quota',
    `${found.join(', ')}: more than an account accepts by default for all its APIs together. API Gateway answers 429 above the quota of the account, or refuses the deployment. Ask AWS for a higher "Throttle rate", which also raises the burst, or lower the props.`,
  );
}
