import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { allowApiKey, allowOnTable, allowQueryOn } from '../building-blocks/grants.ts';
import { envNumber, type FunctionContext, onOrOff } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';
import { secretIdOf } from '../options/secret-ids.ts';

export interface LookupFunctionProps extends FunctionContext {
  readonly historyTable: Table;
}

const every = Duration.minutes(15);

/**
 * Asks the service for messages every 15 minutes, and stores what no webhook reported. The function may read the API key, look up pending
 * messages, and read and write messages, opt-outs and its own progress in the history table.
 */
export class LookupFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: LookupFunctionProps) {
    const { options, historyTable } = props;
    const { apiKey, functionSources, serviceBaseUrl } = options;
    super(scope, id, {
      ...props,
      name: 'lookups',
      description: 'Asks the SMS service for messages, and stores what no webhook reported.',
      memoryMiB: 256,
      timeoutSeconds: 300,
      every,
      environment: {
        HISTORY_TABLE_NAME: historyTable.tableName,
        API_KEY_SECRET_ID: secretIdOf(apiKey),
        LOOKUPS_BASE_URL: functionSources.contract.lookups?.baseUrl ?? serviceBaseUrl,
        RETENTION_DAYS: envNumber(options.retention.toDays()),
        LIST_SHARDS: envNumber(options.listShards),
        OPT_OUTS_BY_SOURCE: onOrOff(options.optOutsBySource),
        STALE_AFTER_HOURS: envNumber(options.staleAfter.toHours()),
        LOOKUP_PRICES: onOrOff(options.lookupPrices),
        SOURCE: options.source,
      },
    });
    allowApiKey(this.function, apiKey);
    allowQueryOn(this.function, historyTable, ['byList']);
    allowOnTable(this.function, historyTable, 'GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem');
    const metrics = {
      errors: this.function.metricErrors({ period: every }),
      unfinished: this.metricCounted('LookupsUnfinished').with({ period: every }),
    };
    this.alarmWhenRepeated('LookupErrors', sumOf(metrics, every), {
      runbook: 'LookupErrors',
      cause:
        'In two of three runs the function "lookups" failed (Errors: the SMS service refused a lookup, the API key is missing, or DynamoDB failed), or ended before its work was done (LookupsUnfinished: out of time, or the service asked to wait).',
      impact:
        'Messages whose reports were lost keep their last state for longer; reports that the webhook receives are stored as always.',
      firstStep:
        'Read LOOKUP-02 and LOOKUP-03 in the log group of "lookups". After 401: store the API key again. After "too-many-requests": lower lookups.requestsPerSecond in the contract.',
    });
  }
}
