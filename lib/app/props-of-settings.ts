import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { rowsOf } from '../options/option-table.ts';
import type { GroupName, Groups } from '../options/options.ts';
import { isPropOfSource } from '../options/source-options.ts';
import type { AlarmsProps } from '../props/alarms.ts';
import { Automation } from '../props/automation.ts';
import type { ConsoleProps, DomainProps, SmsPipelineProps } from '../props/props.ts';
import type { SourceProps } from '../props/source-props.ts';
import type { Settings } from './settings-schema.ts';

/**
 * Turns the settings of the stand-alone app into props. The table of options has the prop of most settings.
 *
 * @param scope receives what is imported by name or ARN
 */
export function propsOf(
  settings: Settings,
  scope: Construct,
): Omit<SmsPipelineProps, 'contract' | 'keywords'> {
  return {
    ...groupOf('pipeline', settings),
    ...apiKeyOf(settings, scope),
    tables: groupOf('tables', settings),
    webhook: { ...groupOf('webhook', settings), ...present('domain', domainOf(settings, scope)) },
    worker: groupOf('worker', settings),
    events: groupOf('events', settings),
    ...present('exports', settings.exportToS3 === 'off' ? undefined : groupOf('exports', settings)),
    insights: groupOf('insights', settings),
    ...present('console', consoleOf(settings, scope)),
    automations: automationsOf(settings),
    ...present('alarms', alarmsOf(settings, scope)),
    logs: groupOf('logs', settings),
  };
}

/** Turns the settings of a further source into props. @param scope receives the API key */
export function sourcePropsOf(settings: Settings, scope: Construct): Omit<SourceProps, 'contract'> {
  const own = <T extends object>(group: 'pipeline' | 'webhook', props: T) =>
    Object.fromEntries(Object.entries(props).filter(([name]) => isPropOfSource(group, name)));
  return {
    ...own('pipeline', groupOf('pipeline', settings)),
    ...apiKeyOf(settings, scope),
    webhook: own('webhook', groupOf('webhook', settings)),
    worker: groupOf('worker', settings),
  };
}

/** Returns the API key as a prop, if something reads it. */
function apiKeyOf(settings: Settings, scope: Construct): Pick<SmsPipelineProps, 'apiKey'> {
  const isUsed = settings.registration === 'on' || settings.lookups === 'on';
  return isUsed ? { apiKey: Secret.fromSecretNameV2(scope, 'ApiKey', settings.apiKeySecretName) } : {};
}

/** Returns the props of a group whose rows in the table of options have a setting. A setting without a value gives no prop. */
function groupOf<Name extends GroupName>(group: Name, settings: Settings): Partial<Groups[Name]['props']> {
  const values = new Map<string, unknown>(Object.entries(settings));
  const props = rowsOf(group).flatMap(([prop, row]) => {
    if (row.kind !== 'option' || row.setting === undefined) return [];
    const value = row.toProp(values.get(row.setting.name));
    return value === undefined ? [] : [[prop, value] as const];
  });
  return Object.fromEntries(props) as Partial<Groups[Name]['props']>;
}

function alarmsOf(settings: Settings, scope: Construct): AlarmsProps | undefined {
  const { alarmTopicArn, pageTopicArn } = settings;
  if (alarmTopicArn === undefined) return undefined;
  const page = pageTopicArn && Topic.fromTopicArn(scope, 'PageTopic', pageTopicArn);
  return {
    ...groupOf('alarms', settings),
    topic: Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn),
    ...present('page', page),
  };
}

function domainOf(settings: Settings, scope: Construct): DomainProps | undefined {
  const { certificateArn, mutualTlsTruststore } = settings;
  const { name, ...domain } = groupOf('webhook.domain', settings);
  if (name === undefined || certificateArn === undefined) return undefined;
  const [, , bucketName = '', ...key] = mutualTlsTruststore?.split('/') ?? [];
  return {
    ...domain,
    name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    ...present(
      'mutualTls',
      mutualTlsTruststore && {
        ...groupOf('webhook.domain.mutualTls', settings),
        bucket: Bucket.fromBucketName(scope, 'Truststore', bucketName),
        key: key.join('/'),
      },
    ),
  };
}

function consoleOf(settings: Settings, scope: Construct): ConsoleProps | undefined {
  if (settings.console === 'off') return undefined;
  const { consoleCertificateArn: arn } = settings;
  const { name } = groupOf('console.domain', settings);
  const { issuer, clientId, ...oidc } = groupOf('console.oidc', settings);
  const hasDomain = name !== undefined && arn !== undefined;
  return {
    ...(hasDomain && {
      domain: { name, certificate: Certificate.fromCertificateArn(scope, 'ConsoleCertificate', arn) },
    }),
    ...(issuer !== undefined && clientId !== undefined && { oidc: { ...oidc, issuer, clientId } }),
  };
}

function automationsOf(settings: Settings): Automation[] {
  const { optOutContacts, contactSync, failureAlert, billingWatch, deliveryWatch } = settings;
  const { url, ...forward } = groupOf('automations.forward', settings);
  const automations: Automation[] = [];
  if (optOutContacts === 'on')
    automations.push(Automation.optOutContacts(groupOf('automations.optOutContacts', settings)));
  if (contactSync === 'on')
    automations.push(Automation.contactSync(groupOf('automations.contactSync', settings)));
  if (failureAlert === 'on')
    automations.push(Automation.failureAlert(groupOf('automations.failureAlert', settings)));
  if (url !== undefined) automations.push(Automation.forward({ ...forward, url }));
  if (billingWatch === 'on') automations.push(Automation.billingWatch());
  if (deliveryWatch === 'on') automations.push(Automation.deliveryWatch());
  return automations;
}

/** An optional prop: left out if there is no value. */
function present<K extends string, T>(name: K, value: T | '' | undefined): { [N in K]?: T } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [N in K]: T });
}
