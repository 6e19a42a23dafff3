import { Duration } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { AlarmsProps } from '../props/alarms.ts';
import { Automation } from '../props/automation.ts';
import type { ConsoleProps, DomainProps, SmsPipelineProps } from '../props/props.ts';
import type { Settings } from './read-settings.ts';

/**
 * Turns the settings of the stand-alone app into props.
 *
 * @param scope receives what is imported by name or ARN
 */
export function propsOf(
  settings: Settings,
  scope: Construct,
): Omit<SmsPipelineProps, 'contract' | 'keywords'> {
  return {
    apiKey: Secret.fromSecretNameV2(scope, 'ApiKey', settings.apiKeySecretName),
    ...present('serviceBaseUrl', settings.serviceBaseUrl),
    registration: settings.registration === 'on',
    retention: Duration.days(settings.retentionDays),
    quarantineRetention: Duration.days(settings.quarantineRetentionDays),
    staleAfter: Duration.hours(settings.staleAfterHours),
    listShards: settings.listShards,
    tables: {
      historyClass:
        settings.historyTableClass === 'standard'
          ? TableClass.STANDARD
          : TableClass.STANDARD_INFREQUENT_ACCESS,
      recovery: Duration.days(settings.recoveryDays),
    },
    webhook: {
      ...present('domain', domainOf(settings, scope)),
      allowedSources: settings.allowedSourceIps,
      ratePerSecond: settings.throttleRatePerSecond,
      burst: settings.throttleBurst,
      reservedConcurrency: settings.ingestReservedConcurrency,
      parkUnverified: settings.parkUnverified,
      ...present('captureUntil', settings.captureUntil),
      onDrift: settings.webhookDrift,
      secretOverlap: Duration.hours(settings.secretOverlapHours),
      rotateAfter: Duration.days(settings.rotateAfterDays),
    },
    worker: {
      batchSize: settings.workerBatchSize,
      batchWindow: Duration.seconds(settings.workerBatchWindowSeconds),
      timeout: Duration.seconds(settings.workerTimeoutSeconds),
      maximumConcurrency: settings.workerMaximumConcurrency,
      maxReceiveCount: settings.maxReceiveCount,
    },
    events: {
      everyEvent: settings.everyEvent === 'on',
      parallelism: settings.publisherParallelism,
      archive: Duration.days(settings.eventArchiveDays),
      accounts: settings.eventBusAccounts,
      schemaRegistry: settings.eventSchemaRegistry === 'on',
    },
    queryReservedConcurrency: settings.queryReservedConcurrency,
    ...present(
      'exports',
      settings.exportToS3 === 'off' ? undefined : { retention: Duration.days(settings.exportRetentionDays) },
    ),
    insights: settings.insights === 'on' && {
      retention: Duration.days(settings.insightsRetentionDays),
      hourRetention: Duration.days(settings.insightsHourRetentionDays),
    },
    ...present('console', consoleOf(settings, scope)),
    automations: automationsOf(settings),
    ...present('alarms', alarmsOf(settings, scope)),
    dashboard: settings.dashboard === 'on',
    logs: {
      retention: settings.logRetentionDays,
      access: settings.accessLog === 'on',
      invocations: settings.invocationLogs === 'on',
    },
    tracing: settings.tracing === 'on',
  };
}

function alarmsOf(
  { alarmTopicArn, pageTopicArn, runbookUrl }: Settings,
  scope: Construct,
): AlarmsProps | undefined {
  if (alarmTopicArn === undefined) return undefined;
  const page = pageTopicArn && Topic.fromTopicArn(scope, 'PageTopic', pageTopicArn);
  return {
    topic: Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn),
    ...present('page', page),
    ...present('runbookUrl', runbookUrl),
  };
}

function domainOf(settings: Settings, scope: Construct): DomainProps | undefined {
  const { domainName, certificateArn, webhookAddress, mutualTlsTruststore, mutualTlsTruststoreVersion } =
    settings;
  if (domainName === undefined || certificateArn === undefined) return undefined;
  const [, , bucketName = '', ...key] = mutualTlsTruststore?.split('/') ?? [];
  return {
    name: domainName,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    webhookAddress,
    ...present(
      'mutualTls',
      mutualTlsTruststore && {
        bucket: Bucket.fromBucketName(scope, 'Truststore', bucketName),
        key: key.join('/'),
        ...present('version', mutualTlsTruststoreVersion),
      },
    ),
  };
}

function consoleOf(settings: Settings, scope: Construct): ConsoleProps | undefined {
  if (settings.console === 'off') return undefined;
  const { consoleDomainName: name, consoleCertificateArn: arn } = settings;
  const { consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = settings;
  const hasDomain = name !== undefined && arn !== undefined;
  return {
    ...(hasDomain && {
      domain: { name, certificate: Certificate.fromCertificateArn(scope, 'ConsoleCertificate', arn) },
    }),
    ...(issuer !== undefined &&
      clientId !== undefined && {
        oidc: { issuer, clientId, groupsClaim: settings.consoleOidcGroupsClaim },
      }),
  };
}

function automationsOf(settings: Settings): readonly Automation[] {
  const automations: Automation[] = [];
  if (settings.optOutContacts === 'on')
    automations.push(
      Automation.optOutContacts({
        optOutListIds: settings.optOutListIds,
        optInListIds: settings.optInListIds,
      }),
    );
  if (settings.contactSync === 'on')
    automations.push(
      Automation.contactSync({
        listIds: settings.contactListIds,
        period: Duration.hours(settings.contactSyncPeriodHours),
      }),
    );
  if (settings.failureAlert === 'on')
    automations.push(Automation.failureAlert({ period: Duration.minutes(settings.failureAlertMinutes) }));
  if (settings.forwardUrl !== undefined)
    automations.push(
      Automation.forward({ url: settings.forwardUrl, detailTypes: settings.forwardDetailTypes }),
    );
  if (settings.billingWatch === 'on')
    automations.push(Automation.billingWatch({ before: Duration.days(settings.billingWatchDays) }));
  if (settings.deliveryWatch === 'on') automations.push(Automation.deliveryWatch());
  return automations;
}

/** An optional prop: left out where there is no value. */
function present<K extends string, T>(name: K, value: T | '' | undefined): { [N in K]?: T } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [N in K]: T });
}
