import { nearestNames } from '../../contract/document/nearest-names.ts';
import type { AlarmsProps, AlarmThresholds } from './alarms.ts';
import type {
  ConsoleDomainProps,
  ConsoleOidcProps,
  ConsoleProps,
  DomainProps,
  EventsProps,
  ExportsProps,
  InsightsProps,
  LogsProps,
  MutualTlsProps,
  SmsPipelineProps,
  TablesProps,
  WebhookProps,
  WorkerProps,
} from './props.ts';

/** The names of the props of a group; of a group within it, its own. */
type Names<Props> = { readonly [Name in keyof Required<Props>]: true | object };

const known = {
  contract: true,
  apiKey: true,
  keywords: true,
  serviceBaseUrl: true,
  registration: true,
  retention: true,
  quarantineRetention: true,
  staleAfter: true,
  listShards: true,
  tables: { historyClass: true, recovery: true } satisfies Names<TablesProps>,
  webhook: {
    domain: {
      name: true,
      certificate: true,
      webhookAddress: true,
      mutualTls: { bucket: true, key: true, version: true } satisfies Names<MutualTlsProps>,
    } satisfies Names<DomainProps>,
    allowedSources: true,
    ratePerSecond: true,
    burst: true,
    reservedConcurrency: true,
    parkUnverified: true,
    captureUntil: true,
    onDrift: true,
    secretOverlap: true,
    rotateAfter: true,
  } satisfies Names<WebhookProps>,
  worker: {
    batchSize: true,
    batchWindow: true,
    timeout: true,
    maximumConcurrency: true,
    maxReceiveCount: true,
  } satisfies Names<WorkerProps>,
  events: {
    everyEvent: true,
    parallelism: true,
    archive: true,
    accounts: true,
    schemaRegistry: true,
  } satisfies Names<EventsProps>,
  queryReservedConcurrency: true,
  exports: { retention: true } satisfies Names<ExportsProps>,
  insights: { retention: true, hourRetention: true } satisfies Names<InsightsProps>,
  console: {
    oidc: { issuer: true, clientId: true, groupsClaim: true } satisfies Names<ConsoleOidcProps>,
    domain: { name: true, certificate: true } satisfies Names<ConsoleDomainProps>,
  } satisfies Names<ConsoleProps>,
  automations: true,
  alarms: {
    topic: true,
    page: true,
    runbookUrl: true,
    thresholds: {
      requestsNotAccepted: true,
      requestsRejected: true,
      eventsQuarantined: true,
      queueBehind: true,
      publisherBehind: true,
      queriesFailed: true,
    } satisfies Names<AlarmThresholds>,
  } satisfies Names<AlarmsProps>,
  dashboard: true,
  logs: { retention: true, access: true, invocations: true } satisfies Names<LogsProps>,
  tracing: true,
  encryptionKey: true,
  metricsNamespace: true,
} satisfies Names<SmsPipelineProps>;

/** Returns a line for each prop that does not exist. The compiler reports them too, except in an app of JavaScript. */
export function unknownProps(props: SmsPipelineProps): readonly string[] {
  return unknownIn(props, known, '');
}

function unknownIn(props: object, names: object, prefix: string): readonly string[] {
  const expected = new Map<string, unknown>(Object.entries(names));
  return Object.entries(props).flatMap(([name, value]) => {
    const group = expected.get(name);
    if (group === undefined) {
      const [near] = nearestNames(name, [...expected.keys()]);
      return [`${prefix}${name}: not a prop${near === undefined ? '' : `; did you mean ${prefix}${near}?`}`];
    }
    const isGroup =
      typeof group === 'object' && group !== null && typeof value === 'object' && value !== null;
    return isGroup ? unknownIn(value, group, `${prefix}${name}.`) : [];
  });
}
