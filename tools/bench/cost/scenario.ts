import type { Settings } from '../../../lib/app/read-settings.ts';
import type { TemplateFacts } from './template-facts.ts';

/** How a pipeline is deployed, as far as it matters to the bill. */
export interface Scenario extends TemplateFacts {
  readonly retentionDays: number;
  readonly archiveDays: number;
  readonly logRetentionDays: number;
  readonly isBackedUp: boolean;
  /** The table class Standard-IA, which stores for less and writes for more. */
  readonly isInfrequentAccess: boolean;
  readonly isTraced: boolean;
  readonly hasCustomerKey: boolean;
  /** Whether every change of status is forwarded to a URL, in addition to what the sample did. */
  readonly forwards: boolean;
  /** Events for every report besides those that the sample published. */
  readonly tellsEveryEvent: boolean;
}

/** Returns the facts of a deployment with these settings. */
export function scenarioOf(settings: Settings, facts: TemplateFacts): Scenario {
  return {
    ...facts,
    // The API key's is made by hand.
    secrets: facts.secrets + 1,
    retentionDays: settings.retentionDays,
    archiveDays: facts.archives === 0 ? 0 : settings.eventArchiveDays,
    logRetentionDays: settings.logRetentionDays,
    isBackedUp: settings.recoveryDays > 0,
    isInfrequentAccess: settings.historyTableClass === 'infrequent-access',
    isTraced: settings.tracing === 'on',
    hasCustomerKey: settings.encryptionKey === 'customer',
    forwards: false,
    tellsEveryEvent: false,
  };
}

/** Lists the effect of the most expensive settings, each alone, on a deployment with the defaults. */
export function variationsOf(base: Scenario): (readonly [name: string, scenario: Scenario])[] {
  const all: readonly (readonly [name: string, changes: Partial<Scenario>])[] = [
    ['retentionDays=30', { retentionDays: 30 }],
    ['retentionDays=90', { retentionDays: 90 }],
    ['recoveryDays=0', { isBackedUp: false }],
    ['historyTableClass=infrequent-access', { isInfrequentAccess: true }],
    ['invocationLogs=on', { systemLogLevel: 'INFO' }],
    // The alarm that needs the log goes with it.
    ['accessLog=off', { accessLogFormat: '', alarms: base.alarms - 1 }],
    ['everyEvent=on', { tellsEveryEvent: true }],
    ['forwardUrl, for each event on the bus', { forwards: true, secrets: base.secrets + 1 }],
    ['tracing=on', { isTraced: true }],
    ['encryptionKey=customer', { hasCustomerKey: true }],
    ['dashboard=off', { dashboards: 0 }],
    // Its alarm goes with it.
    ['insights=off', { insights: undefined, alarms: base.alarms - (base.insights === undefined ? 0 : 1) }],
  ];
  return all.map(([name, changes]) => [name, { ...base, ...changes }]);
}
