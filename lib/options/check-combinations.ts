import { Duration, type IResource, type Stack, Token } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { hasService } from '../../contract/document/contract-file-store.ts';
import { sameHoursOfWeeks } from '../../functions/automations/index.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { SmsPipelineProps } from '../props/props.ts';
import { incidents } from './alarm-names.ts';
import type { AlarmOverride } from './alarm-recipients.ts';
import { checkNetwork } from './check-network.ts';
import { formOfBusArn } from './option-kinds.ts';
import type { PipelineOptions } from './options.ts';
import { isOther, isPrivate, namesOfCertificate, otherRegionOf, placeOfCertificate } from './places.ts';
import { missingFor } from './published-types.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from './queue-timing.ts';
import { problemWithSecret } from './secret-ids.ts';
import { problemWithKey } from './usable-keys.ts';

/** Reports a wrong prop by its path: what was found, and what was expected. */
type Report = (prop: string, found: unknown, expected: string) => void;

/** Checks the constructs that a pipeline is given, and the props that are missing for, or contradict, another one. */
export function checkCombinations(
  props: SmsPipelineProps,
  options: PipelineOptions,
  stack: Stack,
  report: Report,
): void {
  const { region } = stack;
  checkAutomations(props, stack, report);
  checkCertificates(props, stack, report);
  checkRegistration(props, options, report);
  checkLookups(options, report);
  checkAlarms(props, options, report);
  checkHistory(options, report);
  checkStaleness(options, report);
  checkWebhook(options, report);
  checkWorker(options, report);
  checkForwarding(props, options, report);
  checkNetwork(options.functions, stack, report);
  checkBus(options, stack, report);
  checkResources(props, stack, report);
  checkDomains(props, report);
  if (props.console !== undefined && (RegionInfo.get(region).partition ?? 'aws') !== 'aws')
    report(
      'console',
      `a stack in ${region}`,
      'expected no console outside of the standard regions of AWS, for example in China or GovCloud: CloudFront and the sign-in of Cognito are missing there, or work differently. "sms console" serves the page on your own machine',
    );
}

/** Returns whether all values are known at synth. */
function areKnown(...values: readonly unknown[]): boolean {
  return !values.some((value) => Token.isUnresolved(value));
}

function checkAutomations({ automations = [] }: SmsPipelineProps, stack: Stack, report: Report): void {
  const kinds = automations.map(({ _config }) => _config.kind);
  for (const kind of new Set(kinds))
    if (kinds.filter((other) => other === kind).length > 1)
      report('automations', `${kind} twice`, 'expected each automation at most once');
  for (const { _config: config } of automations)
    if (
      (config.kind === 'optOutContacts' || config.kind === 'failureAlert') &&
      config.props.topic !== undefined
    )
      checkNoticeTopic(`automations.${config.kind}.topic`, config.props.topic, stack, report);
}

function checkNoticeTopic(prop: string, topic: ITopic, stack: Stack, report: Report): void {
  // A message to a FIFO topic needs the id of a group ("Publish", SNS API Reference), and a notice has no group.
  if (topic.fifo) report(prop, 'a FIFO topic', 'expected a standard topic');
  // The functions publish to the SNS of their own region.
  checkRegion(prop, 'a topic', topic, stack, report);
}

function checkRegion(
  prop: string,
  what: string,
  resource: Pick<IResource, 'env'>,
  stack: Stack,
  report: Report,
): void {
  const region = otherRegionOf(resource, stack);
  if (region !== undefined) report(prop, `${what} in ${region}`, `expected one in ${stack.region}`);
}

function checkCertificates({ webhook, console }: SmsPipelineProps, stack: Stack, report: Report): void {
  const { account, region } = stack;
  checkCertificate('webhook.domain', webhook?.domain, { account, region }, report);
  // "Requirements for using SSL/TLS certificates with CloudFront", CloudFront developer guide.
  checkCertificate('console.domain', console?.domain, { account, region: 'us-east-1' }, report);
  const domain = webhook?.domain;
  // "Using an imported or AWS Private Certificate Authority certificate", in "mutual TLS for HTTP APIs", API Gateway developer guide.
  if (domain?.mutualTls !== undefined && domain.certificate !== undefined && isPrivate(domain.certificate))
    report(
      'webhook.domain.certificate',
      'a certificate of a private certificate authority',
      'expected a public one of ACM beside mutualTls: for a private one API Gateway needs a second certificate, an ownershipVerificationCertificate, which the pipeline does not give it',
    );
}

const formOfCertificateArn = /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/;

function checkCertificate(
  path: string,
  domain: { readonly name: string; readonly certificate: ICertificate } | undefined,
  expected: { readonly account: string; readonly region: string },
  report: Report,
): void {
  const { name, certificate } = domain ?? {};
  if (name === undefined || certificate === undefined) return;
  const prop = `${path}.certificate`;
  const names = namesOfCertificate(certificate);
  if (areKnown(name) && names !== undefined && !names.some((other) => isCovered(name, other)))
    report(prop, `a certificate for ${names.join(', ')}`, `expected one for ${name}`);
  const arn = certificate.certificateArn;
  if (areKnown(arn) && !formOfCertificateArn.test(arn)) {
    report(
      prop,
      arn,
      'expected the ARN of a certificate of ACM, arn:aws:acm:<region>:<account>:certificate/<id>',
    );
    return;
  }
  const { region, account } = placeOfCertificate(certificate);
  if (region !== undefined && isOther(region, expected.region))
    report(prop, `a certificate in ${region}`, `expected one in ${expected.region}`);
  if (account !== undefined && isOther(account, expected.account))
    report(
      prop,
      `a certificate of the account ${account}`,
      `expected one of the stack's account ${expected.account}: request or import it there`,
    );
}

/** "ACM certificate characteristics": a wildcard is for one label. */
function isCovered(name: string, certificateName: string): boolean {
  const covered = certificateName.toLowerCase();
  return covered.startsWith('*.') ? name.slice(name.indexOf('.')) === covered.slice(1) : name === covered;
}

function checkRegistration({ contract }: SmsPipelineProps, options: PipelineOptions, report: Report): void {
  const { registration, apiKey, automations, webhook } = options;
  if (registration) {
    if (!contract.registersWebhook)
      report(
        'contract',
        'no "service"',
        'expected "registration" for Twilio or Telnyx, or "service", with the address and the token exchange of the API that registers webhooks (docs/reference/contract.md, "Every field"), or registration: false, as for every preset whose service has no such API',
      );
    if (apiKey === undefined)
      report(
        'apiKey',
        undefined,
        'expected the secret with the API key of the SMS service, or registration: false',
      );
    checkAdapter(options, report);
    return;
  }
  // These automations exchange the API key for a token.
  for (const kind of ['optOutContacts', 'contactSync', 'billingWatch'] as const)
    if (automations[kind] !== undefined)
      report(
        'automations',
        kind,
        'expected no automation that calls the API of the SMS service: with registration: false the pipeline does not call it',
      );
  const rotateAfterDays = webhook.rotateAfter.toDays();
  if (rotateAfterDays !== 0)
    report(
      'webhook.rotateAfter',
      rotateAfterDays,
      'expected nothing: with registration: false you create a new secret in the console of the SMS service',
    );
  if (webhook.alwaysParkUnverified)
    report(
      'webhook.alwaysParkUnverified',
      true,
      'expected false: with registration: false the pipeline cannot ask for the secret that parked requests wait for',
    );
}

/** An API of `registration` in the contract sets the webhook's address alone: it has no signing secret and no other operations. */
function checkAdapter({ functionSources, automations, webhook }: PipelineOptions, report: Report): void {
  const adapter = functionSources.contract.registration;
  if (adapter === null) return;
  for (const kind of ['optOutContacts', 'contactSync', 'billingWatch'] as const)
    if (automations[kind] !== undefined)
      report(
        'automations',
        kind,
        `expected no automation that calls the API of "service": the contract registers the webhook by "${adapter.kind}"`,
      );
  const rotateAfterDays = webhook.rotateAfter.toDays();
  if (areKnown(rotateAfterDays) && rotateAfterDays !== 0)
    report(
      'webhook.rotateAfter',
      `${rotateAfterDays} days`,
      `expected nothing: the API of "${adapter.kind}" cannot replace the signing secret. Create a new one at the service, and store it with "webhook store-secret"`,
    );
  if (webhook.alwaysParkUnverified)
    report(
      'webhook.alwaysParkUnverified',
      true,
      `expected false: the API of "${adapter.kind}" does not show the secret that parked requests wait for`,
    );
}

function checkLookups(
  { lookups, lookupPrices, apiKey, functionSources, registration }: PipelineOptions,
  report: Report,
): void {
  if (!lookups) {
    if (lookupPrices)
      report('lookupPrices', true, 'expected lookups: true beside it, because lookups find the prices');
    return;
  }
  const { contract } = functionSources;
  if (contract.lookups === null)
    report(
      'lookups',
      true,
      'expected "lookups" in the contract, which says how the service is asked for messages (docs/reference/contract.md, "Lookups"), or lookups: false',
    );
  else if (
    (contract.lookups.authentication.kind === 'token' || contract.lookups.baseUrl === null) &&
    !hasService(contract)
  )
    report(
      'contract',
      'no "service"',
      'expected "service", because "lookups" in the contract uses its address or its token; or lookups: false',
    );
  if (contract.lookups?.baseUrl?.includes('your-'))
    report(
      'contract',
      contract.lookups.baseUrl,
      'expected your own account in lookups.baseUrl: the preset has a placeholder (docs/providers has a page for the service)',
    );
  if (apiKey === undefined && !registration)
    report(
      'apiKey',
      undefined,
      'expected the secret with the API key of the SMS service, which lookups send; or lookups: false',
    );
}

function checkAlarms({ alarms }: SmsPipelineProps, options: PipelineOptions, report: Report): void {
  const overrides = options.alarms === false ? {} : options.alarms.overrides;
  for (const [alarm, override] of Object.entries(overrides)) checkOverride(alarm, override, report);
  const behindSeconds = overrides.QueueBehind?.threshold;
  const batchWindowSeconds = options.worker.batchWindow.toSeconds();
  if (
    behindSeconds !== undefined &&
    areKnown(behindSeconds, batchWindowSeconds) &&
    behindSeconds <= batchWindowSeconds
  )
    report(
      'alarms.overrides.QueueBehind.threshold',
      `${behindSeconds} seconds`,
      'expected longer than worker.batchWindow: events wait that long for a batch to become full',
    );
  const alertSeconds = overrides.FailureAlertQueueBehind?.threshold;
  const periodMinutes = options.automations.failureAlert?.period.toMinutes();
  if (
    alertSeconds !== undefined &&
    periodMinutes !== undefined &&
    areKnown(alertSeconds, periodMinutes) &&
    alertSeconds <= periodMinutes * 60
  )
    report(
      'alarms.overrides.FailureAlertQueueBehind.threshold',
      `${alertSeconds} seconds`,
      `expected longer than the period of Automation.failureAlert, which is ${periodMinutes * 60} seconds: events wait that long for the next notice`,
    );
  if (alarms?.page !== undefined && alarms.topic === undefined)
    report('alarms.topic', undefined, 'expected the topic of tickets, because there is one of pages');
}

const alarmsInSeconds = /^\w*QueueBehind$/;

/** The metric has one value a minute. */
const minBehindSeconds = 60;

/** The events of a failure alert wait for its period, which may be long. Other queues are read at once. */
function maxBehindSeconds(alarm: string): number {
  return Duration.days(alarm === 'FailureAlertQueueBehind' ? queueRetentionDays : 1).toSeconds();
}

const alarmsInMilliseconds = /^(\w*MessagesFailing|PublisherBehind|InsightsBehind)$/;

function checkOverride(
  alarm: string,
  { threshold, evaluationPeriods, datapointsToAlarm }: AlarmOverride,
  report: Report,
): void {
  const path = `alarms.overrides.${alarm}`;
  if (incidents.some((name) => name === alarm)) {
    for (const [name, value] of Object.entries({ threshold, evaluationPeriods, datapointsToAlarm }))
      if (value !== undefined)
        report(
          `${path}.${name}`,
          value,
          'expected nothing: the alarm is on while one of its members is on (docs/operate/alarms.md)',
        );
    return;
  }
  if (alarmsInMilliseconds.test(alarm) && threshold !== undefined && areKnown(threshold) && threshold < 1000)
    report(
      `${path}.threshold`,
      threshold,
      'expected milliseconds, at least 1000: for example 600000 for ten minutes',
    );
  if (
    alarmsInSeconds.test(alarm) &&
    threshold !== undefined &&
    areKnown(threshold) &&
    (threshold < minBehindSeconds || threshold > maxBehindSeconds(alarm))
  )
    report(
      `${path}.threshold`,
      threshold,
      `expected seconds, from ${minBehindSeconds} to ${maxBehindSeconds(alarm)}: for example 600 for ten minutes`,
    );
  if (datapointsToAlarm === undefined) return;
  if (evaluationPeriods === undefined)
    report(
      `${path}.evaluationPeriods`,
      undefined,
      'expected the number of periods of which datapointsToAlarm must reach the threshold',
    );
  else if (areKnown(datapointsToAlarm, evaluationPeriods) && datapointsToAlarm > evaluationPeriods)
    report(
      `${path}.datapointsToAlarm`,
      datapointsToAlarm,
      `expected at most ${evaluationPeriods}, as evaluationPeriods`,
    );
}

/** How far back the delivery watch reads. */
const watchedDays = Math.ceil(
  Math.max(...sameHoursOfWeeks(0).map(({ from }) => -from)) / Duration.days(1).toMilliseconds(),
);

/** The exporter looks for missing days among the last seven that are over. */
const minRecoveryOfExports = 8;

function checkHistory({ tables, exports, insights, automations }: PipelineOptions, report: Report): void {
  const recoveryDays = tables.recovery.toDays();
  if (exports !== undefined && areKnown(recoveryDays) && recoveryDays < minRecoveryOfExports)
    report(
      'tables.recovery',
      `${recoveryDays} days`,
      `expected at least ${minRecoveryOfExports} days: exports are made from the backups, and a run makes up for that many days`,
    );
  if (insights === undefined && automations.deliveryWatch !== undefined)
    report(
      'automations',
      'deliveryWatch',
      'expected no automation that reads the counters of insights: with insights.enabled: false there are no counters',
    );
  const hourRetentionDays = insights?.hourRetention.toDays() ?? 0;
  if (
    insights !== undefined &&
    automations.deliveryWatch !== undefined &&
    areKnown(hourRetentionDays) &&
    hourRetentionDays < watchedDays
  )
    report(
      'insights.hourRetention',
      `${hourRetentionDays} days`,
      `expected at least ${watchedDays} days: Automation.deliveryWatch compares with the same hours of the four weeks before`,
    );
}

/** The sweep marks a message after `staleAfter`, and the table deletes it after `retention`. */
function checkStaleness({ staleAfter, retention }: PipelineOptions, report: Report): void {
  const staleHours = staleAfter.toHours();
  const retentionDays = retention.toDays();
  // A retention below a day is refused by itself.
  if (areKnown(staleHours, retentionDays) && retentionDays >= 1 && staleHours >= retentionDays * 24)
    report(
      'staleAfter',
      `${staleHours} hours`,
      `expected less than retention, which is ${retentionDays} days: messages would be deleted before they are marked; or Duration.hours(0) to mark none`,
    );
}

function checkWebhook({ webhook }: PipelineOptions, report: Report): void {
  const { domain } = webhook;
  const rotateAfterDays = webhook.rotateAfter.toDays();
  const secretOverlapHours = webhook.secretOverlap.toHours();
  if (domain?.mutualTls !== undefined && !domain.usedByWebhook)
    report(
      'webhook.domain.usedByWebhook',
      false,
      'expected true: mutualTls disables the address of the API, where clients could bypass it',
    );
  const isRotated = rotateAfterDays !== 0;
  if (
    areKnown(rotateAfterDays, secretOverlapHours) &&
    isRotated &&
    rotateAfterDays * 24 <= secretOverlapHours
  )
    report(
      'webhook.rotateAfter',
      `${rotateAfterDays} days`,
      'expected longer than webhook.secretOverlap: no rotation begins while the previous secret is still accepted',
    );
}

function checkWorker({ worker }: PipelineOptions, report: Report): void {
  const { batchSize, maxReceiveCount } = worker;
  const batchWindowSeconds = worker.batchWindow.toSeconds();
  const timeoutSeconds = worker.timeout.toSeconds();
  if (areKnown(batchSize, batchWindowSeconds) && batchSize > 10 && batchWindowSeconds < 1)
    report(
      'worker.batchWindow',
      `${batchWindowSeconds} seconds`,
      'expected at least a second: Lambda gathers a batchSize above 10 only within a window',
    );
  const receivesTake = maxReceiveCount * visibilityTimeoutSeconds(timeoutSeconds, batchWindowSeconds);
  if (
    areKnown(maxReceiveCount, timeoutSeconds, batchWindowSeconds) &&
    receivesTake >= queueRetentionDays * 24 * 3600
  )
    report(
      'worker.maxReceiveCount',
      maxReceiveCount,
      `expected fewer: this many receives, each 6 x timeout + batchWindow apart, take longer than the queue's retention of ${queueRetentionDays} days, so that messages would be lost`,
    );
}

function checkBus({ eventBus, events }: PipelineOptions, stack: Stack, report: Report): void {
  if (eventBus === undefined) return;
  if (events.accounts.length > 0)
    report(
      'events.accounts',
      events.accounts.join(', '),
      'expected nothing beside eventBus: you own its policy',
    );
  const { eventBusArn } = eventBus;
  if (areKnown(eventBusArn) && !formOfBusArn.test(eventBusArn))
    report(
      'eventBus',
      eventBusArn,
      'expected the ARN of an event bus, arn:aws:events:<region>:<account>:event-bus/<name>',
    );
  const { account, region } = eventBus.env;
  for (const [name, own, found] of [
    ['account', stack.account, account],
    ['region', stack.region, region],
  ] as const)
    if (isOther(own, found))
      report('eventBus', `a bus of the ${name} ${found}`, `expected one of the stack's ${name} ${own}`);
}

function checkResources(
  { apiKey, encryptionKey, logs, webhook }: SmsPipelineProps,
  stack: Stack,
  report: Report,
): void {
  // Functions ask the Secrets Manager of their own region for the API key.
  const problem = apiKey && problemWithSecret(apiKey, stack);
  if (problem) report('apiKey', problem.found, problem.expected);
  for (const [prop, key] of [
    ['encryptionKey', encryptionKey],
    ['logs.encryptionKey', logs?.encryptionKey],
  ] as const) {
    const keyProblem = key && problemWithKey(key, stack);
    if (keyProblem) report(prop, keyProblem.found, `expected ${keyProblem.expected}`);
  }
  const { bucket, version } = webhook?.domain?.mutualTls ?? {};
  if (bucket === undefined) return;
  // API Gateway documents no bucket of another region ("Configuring mutual TLS authentication for an HTTP API", developer guide).
  checkRegion('webhook.domain.mutualTls.bucket', 'a bucket', bucket, stack, report);
  const { defaultChild } = bucket.node;
  // "MutualTlsAuthenticationInput", API Gateway API reference.
  if (
    version !== undefined &&
    defaultChild instanceof CfnBucket &&
    defaultChild.versioningConfiguration === undefined
  )
    report(
      'webhook.domain.mutualTls.version',
      version,
      'expected a bucket with versioned: true, because objects have no versions in this one',
    );
}

/** API Gateway and CloudFront answer at one name each, and DNS has one target for it. */
function checkDomains({ webhook, console }: SmsPipelineProps, report: Report): void {
  const name = console?.domain?.name;
  if (name !== undefined && areKnown(name) && name === webhook?.domain?.name)
    report(
      'console.domain.name',
      name,
      'expected another name than webhook.domain.name, for example console.example.com',
    );
}

function checkForwarding(
  { webhook, console }: SmsPipelineProps,
  options: PipelineOptions,
  report: Report,
): void {
  const { url, detailTypes: types = [] } = options.automations.forward ?? {};
  // A URL that is none is reported with the texts.
  if (url !== undefined && areKnown(url) && URL.canParse(url)) {
    const { hostname } = new URL(url);
    if ([webhook?.domain?.name, console?.domain?.name].includes(hostname))
      report(
        'automations.forward.url',
        `the pipeline's own domain ${hostname}`,
        'expected a URL of another system',
      );
  }
  const isAnyPublished = types.some((type) => missingFor(type, options) === undefined);
  for (const type of types) {
    const missing = missingFor(type, options);
    // A list of all types has those of automations that are off too.
    if (missing !== undefined && (!isAnyPublished || type === detailTypes.deliveryEvent))
      report(
        'automations.forward.detailTypes',
        type,
        `expected published types only: this one needs ${missing}`,
      );
  }
}
