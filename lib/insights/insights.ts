import type { Construct } from 'constructs';
import { envNumber } from '../building-blocks/lambda-function.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { Storage } from '../history/storage.ts';
import type { InsightsOptions, PipelineOptions } from '../options/options.ts';
import { InsightsFunction } from './insights-function.ts';

/** Counts the changes of the history table: how many messages of a send, an hour or a day arrived, how fast, and what failed. */
export function addInsights(
  scope: Construct,
  options: PipelineOptions,
  insights: InsightsOptions,
  { historyTable, insightsTable }: Storage,
): InsightsFunction {
  // A rebuild by the command line keeps figures for the same time.
  addOutput(scope, options, 'InsightsRetentionDays', envNumber(insights.retention.toDays()));
  addOutput(scope, options, 'InsightsHourRetentionDays', envNumber(insights.hourRetention.toDays()));
  return new InsightsFunction(scope, 'Insights', { options, insights, historyTable, insightsTable });
}
