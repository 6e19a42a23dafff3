import { Annotations, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { PipelineOptions } from '../options/options.ts';
import { addSource, type Source, type SourceContext } from './source.ts';

/** The source `main`, and what it shares with the others. */
export interface Receiving extends Source, SourceContext {
  /** The names of all sources. Those that are added later are answered for, too. */
  readonly sources: string[];
}

/** @param registration the scope of the setup function */
export function addReceiving(
  scope: Construct,
  registration: Construct,
  options: PipelineOptions,
  context: SourceContext & { readonly sources: string[] },
): Receiving {
  warnOfHotLists(scope, options);
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
