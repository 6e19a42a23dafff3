import type { Settings } from '../../../lib/settings/read-settings.ts';
import type { Batching, TemplateFacts } from './template-facts.ts';

/** How a pipeline is deployed, as far as it matters to the bill. */
export interface Scenario {
  readonly worker: Batching;
  readonly publisher: Batching;
  readonly logs: Pick<TemplateFacts, 'accessLogFormat' | 'systemLogLevel'>;
  readonly retentionDays: number;
  readonly archiveDays: number;
  readonly logRetentionDays: number;
  readonly isBackedUp: boolean;
  /** The table class Standard-IA, which stores for less and writes for more. */
  readonly isInfrequentAccess: boolean;
  readonly isTraced: boolean;
  readonly hasCustomerKey: boolean;
  /** Whether every change of status is forwarded to a URL. */
  readonly forwards: boolean;
  /** Events for every report besides those of changes. */
  readonly tellsEveryEvent: boolean;
  readonly alarms: number;
  readonly dashboards: number;
  readonly secrets: number;
  readonly polledQueues: number;
  readonly scheduledRunsPerMonth: number;
  /** The active settings that the sample has measured: they are no addition. */
  readonly measured: readonly (keyof Settings)[];
}

/** Returns the facts of a deployment with these settings. */
export function scenarioOf(settings: Settings, facts: TemplateFacts): Scenario {
  return {
    worker: facts.worker,
    publisher: facts.publisher,
    logs: facts,
    retentionDays: settings.retentionDays,
    archiveDays: facts.archives === 0 ? 0 : settings.eventArchiveDays,
    logRetentionDays: settings.logRetentionDays,
    isBackedUp: true,
    isInfrequentAccess: false,
    isTraced: settings.tracing === 'on',
    hasCustomerKey: settings.encryptionKey === 'customer',
    forwards: false,
    tellsEveryEvent: false,
    alarms: facts.alarms,
    dashboards: facts.dashboards,
    // The API key's is made by hand.
    secrets: facts.secrets + 1,
    polledQueues: facts.polledQueues,
    scheduledRunsPerMonth: facts.scheduledRunsPerMonth,
    measured: [
      ...(settings.everyEvent === 'on' ? (['everyEvent'] as const) : []),
      ...(settings.forwardUrl === undefined ? [] : (['forwardUrl'] as const)),
    ],
  };
}

/** Another setting, and the scenario it makes. */
interface Variation {
  readonly name: string;
  readonly scenario: Scenario;
}

/** The number without the alarm that needs the log. */
function withoutAccessLog({ logs, alarms }: Scenario): Partial<Scenario> {
  return logs.accessLogFormat === '' ? {} : { logs: { ...logs, accessLogFormat: '' }, alarms: alarms - 1 };
}

/** Lists the effect of the most expensive settings, each alone, except active ones. */
export function variationsOf(base: Scenario): Variation[] {
  const all: readonly (readonly [name: string, changes: Partial<Scenario>])[] = [
    ['retentionDays=30', { retentionDays: 30 }],
    ['retentionDays=90', { retentionDays: 90 }],
    ['without point-in-time recovery (no setting)', { isBackedUp: false }],
    ['table class Standard-IA (no setting)', { isInfrequentAccess: true }],
    ['invocationLogs=on', { logs: { ...base.logs, systemLogLevel: 'INFO' } }],
    ['accessLog=off', withoutAccessLog(base)],
    ['everyEvent=on', { tellsEveryEvent: true }],
    ['forwardUrl, for each event on the bus', { forwards: true, secrets: base.secrets + 1 }],
    ['tracing=on', { isTraced: true }],
    ['encryptionKey=customer', { hasCustomerKey: true }],
    ['dashboard=off', { dashboards: 0 }],
  ];
  return all
    .map(([name, changes]) => ({ name, scenario: { ...base, ...changes } }))
    .filter(
      ({ name, scenario }) =>
        JSON.stringify(scenario) !== JSON.stringify(base) &&
        !base.measured.some((setting) => name.startsWith(setting)),
    );
}
