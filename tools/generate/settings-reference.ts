import { posix } from 'node:path';
import { customDomainSettings, eventSettings, pipelineSettings } from '../../lib/app/setting-schemas.ts';
import { type DocumentedProperty, documentedProperties } from './source-comments.ts';

const settings = { ...pipelineSettings, ...customDomainSettings, ...eventSettings };

type SettingName = keyof typeof settings;

/** The prop that a setting becomes (lib/app/props-of-settings.ts); its comment is the meaning of both. */
const propOf = {
  contractFile: 'contract',
  apiKeySecretName: 'apiKey',
  keywordsFile: 'keywords',
  serviceBaseUrl: 'serviceBaseUrl',
  registration: 'registration',
  retentionDays: 'retention',
  quarantineRetentionDays: 'quarantineRetention',
  staleAfterHours: 'staleAfter',
  listShards: 'listShards',
  historyTableClass: 'tables.historyClass',
  recoveryDays: 'tables.recovery',
  domainName: 'webhook.domain.name',
  certificateArn: 'webhook.domain.certificate',
  webhookAddress: 'webhook.domain.webhookAddress',
  mutualTlsTruststore: 'webhook.domain.mutualTls',
  mutualTlsTruststoreVersion: 'webhook.domain.mutualTls.version',
  allowedSourceIps: 'webhook.allowedSources',
  throttleRatePerSecond: 'webhook.ratePerSecond',
  throttleBurst: 'webhook.burst',
  ingestReservedConcurrency: 'webhook.reservedConcurrency',
  parkUnverified: 'webhook.parkUnverified',
  captureUntil: 'webhook.captureUntil',
  webhookDrift: 'webhook.onDrift',
  secretOverlapHours: 'webhook.secretOverlap',
  rotateAfterDays: 'webhook.rotateAfter',
  workerBatchSize: 'worker.batchSize',
  workerBatchWindowSeconds: 'worker.batchWindow',
  workerTimeoutSeconds: 'worker.timeout',
  workerMaximumConcurrency: 'worker.maximumConcurrency',
  maxReceiveCount: 'worker.maxReceiveCount',
  everyEvent: 'events.everyEvent',
  publisherParallelism: 'events.parallelism',
  eventArchiveDays: 'events.archive',
  eventBusAccounts: 'events.accounts',
  eventSchemaRegistry: 'events.schemaRegistry',
  queryReservedConcurrency: 'queryReservedConcurrency',
  exportToS3: 'exports',
  exportRetentionDays: 'exports.retention',
  insights: 'insights',
  insightsRetentionDays: 'insights.retention',
  insightsHourRetentionDays: 'insights.hourRetention',
  console: 'console',
  consoleDomainName: 'console.domain.name',
  consoleCertificateArn: 'console.domain.certificate',
  consoleOidcIssuer: 'console.oidc.issuer',
  consoleOidcClientId: 'console.oidc.clientId',
  consoleOidcGroupsClaim: 'console.oidc.groupsClaim',
  alarmTopicArn: 'alarms.topic',
  pageTopicArn: 'alarms.page',
  runbookUrl: 'alarms.runbookUrl',
  dashboard: 'dashboard',
  logRetentionDays: 'logs.retention',
  accessLog: 'logs.access',
  invocationLogs: 'logs.invocations',
  tracing: 'tracing',
  encryptionKey: 'encryptionKey',
} as const satisfies Readonly<Record<Exclude<SettingName, keyof typeof settingsOnly>, string>>;

/** Settings without a prop. */
const settingsOnly = {
  stackPrefix: { text: "The beginning of the stacks' names.", see: undefined },
  queryRoleArn: {
    text: 'A role of this account that may call the query API.',
    see: 'docs/guides/permissions.md#read',
  },
} as const;

/** Props without a setting of their own. */
const propsOnly = ['automations', 'alarms.thresholds', 'metricsNamespace'];

const interfaces = new Map(
  ['lib/props/props.ts', 'lib/props/alarms.ts'].flatMap((file) => [...documentedProperties(file)]),
);

/** Lists the props of an interface and of the groups in it, by path. */
function propsBelow(name: string, prefix = ''): [string, DocumentedProperty][] {
  return (interfaces.get(name) ?? []).flatMap((prop) => {
    const path = `${prefix}${prop.name}`;
    const [group] = /\w+/.exec(prop.type) ?? [];
    return [[path, prop], ...(group === undefined ? [] : propsBelow(group, `${path}.`))];
  });
}

const props = new Map(propsBelow('SmsPipelineProps'));

/** Lists the props that have neither a row nor a group in the table. */
export function propsWithoutRow(): readonly string[] {
  const shown: readonly string[] = [...Object.values(propOf), ...propsOnly];
  return [...props.keys()].filter(
    (path) => !shown.some((row) => row === path || row.startsWith(`${path}.`) || isBelow(path, row)),
  );
}

/** The bucket and the key of a truststore are in one URL, and thresholds have a table of their own. */
function isBelow(path: string, row: string): boolean {
  return ['alarms.thresholds', 'webhook.domain.mutualTls'].includes(row) && path.startsWith(`${row}.`);
}

/** Writes the settings and props as one Markdown table. @param page the path of the page that it is for */
export function settingsReference(page = 'docs/reference/settings.md'): string {
  const names = Object.keys(settings) as SettingName[];
  const ofSettings = names.map((name) => {
    const prop = name in settingsOnly ? undefined : propOf[name as keyof typeof propOf];
    const about = prop === undefined ? settingsOnly[name as keyof typeof settingsOnly] : aboutProp(prop);
    const value = [settingCell(name), ...(prop === undefined || prop === name ? [] : [`\`${prop}\``])];
    return row(
      value.join(', '),
      about,
      page,
      /\b0 for none/.test(settings[name].description ?? '') ? '; 0: none' : '',
    );
  });
  const ofProps = propsOnly.map((path) => row(`\`${path}\``, aboutProp(path), page));
  return ['setting and default, prop | meaning', '---|---', ...ofSettings, ...ofProps].join('\n');
}

function aboutProp(path: string): Pick<DocumentedProperty, 'text' | 'see'> {
  const prop = props.get(path);
  if (prop === undefined || prop.text === '') throw new Error(`lib/props: ${path} lacks a comment`);
  return prop;
}

/** Writes a setting with its default, and the other choices if it has some that are not `on` and `off`. */
function settingCell(name: SettingName): string {
  const schema = settings[name];
  const preset = String(schema.parse(undefined) ?? '');
  const { description = '' } = schema;
  const quoted = [...description.matchAll(/"([\w-]+)"/g)].map(([, word]) => word);
  const choices = quoted.filter((word) => word !== preset && !['on', 'off'].includes(word ?? ''));
  const shown = preset === '' ? `\`${name}\`` : `\`${name}=${preset}\``;
  return [shown, ...choices.map((word) => `or \`${word}\``)].join(' ');
}

/** The meaning is the first sentence of the comment; what the comment refers to becomes its link. */
function row(
  cell: string,
  { text, see }: Pick<DocumentedProperty, 'text' | 'see'>,
  page: string,
  end = '',
): string {
  const [sentence = text] = /^.*?[.!](?= |$)/.exec(text) ?? [];
  const meaning = sentence
    .replace(/\.$/, '')
    .replace(/^The (?=\w)/, '')
    .replace(/, in whole (?:days|hours|minutes|seconds)|, in lower case$/, '')
    .replace(/ are kept for this long$/, ' are kept')
    .replaceAll('|', '\\|')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const target = see && posix.relative(posix.dirname(page), see);
  return `${cell} | ${target === undefined ? meaning : `[${meaning}](${target})`}${end}`;
}
