import type { Construct } from 'constructs';
import { envNumber } from '../building-blocks/lambda-function.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import { InsightsFunction } from './insights-function.ts';

/** Counts the changes of the history table: how many messages of a send, an hour or a day arrived, how fast, and what failed. */
export function addInsights(
  scope: Construct,
  options: PipelineOptions,
  retention: NonNullable<PipelineOptions['insights']>,
  { historyTable, insightsTable }: Storage,
): InsightsFunction {
  // A rebuild by the command line keeps figures for the same time.
  addOutput(scope, options, 'InsightsRetentionDays', envNumber(retention.retentionDays));
  addOutput(scope, options, 'InsightsHourRetentionDays', envNumber(retention.hourRetentionDays));
  return new InsightsFunction(scope, 'Insights', { options, retention, historyTable, insightsTable });
}
