/**
 * An SMS pipeline for AWS CDK apps. This is the public interface: everything else may change without notice.
 *
 * ```ts
 * const sms = new SmsPipeline(this, 'Sms', {
 *   contract: Contract.fromFile('contract.json'),
 *   apiKey: Secret.fromSecretNameV2(this, 'Key', 'sms/api-key'),
 * });
 * sms.events.onReply({ keyword: ['stop'] }, Target.lambda(fn));
 * ```
 *
 * The names of events are in `sms-event-pipeline/events`, which handlers import too.
 *
 * @see docs/start/own-app.md
 */

// The pipeline, and what it is made from.

export type { AlarmsProps, AlarmThresholds } from './props/alarms.ts';
export { Contract } from './props/contract.ts';
export { Keywords } from './props/keywords.ts';
export { PipelinePropsError } from './props/pipeline-props-error.ts';
export type {
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
} from './props/props.ts';
export type { SourceProps, SourceWebhookProps } from './props/source.ts';
export {
  type ISmsPipeline,
  SmsPipeline,
  type SmsPipelineAttributes,
} from './sms-pipeline.ts';
export { SmsSource } from './sms-source.ts';

// Automations that come with the pipeline.

export {
  Automation,
  type BillingWatchProps,
  type ContactSyncProps,
  type FailureAlertProps,
  type ForwardProps,
  type OptOutContactsProps,
} from './props/automation.ts';

// Your own automations: what they subscribe to, and where events go.

export type {
  DeliveryStatusFilter,
  DetailFilter,
  EventFilter,
  ProviderFilter,
  ReplyFilter,
  StatusValue,
  TextMatch,
} from './subscribe/event-filter.ts';
export {
  SmsEvents,
  type SmsEventsProps,
  type SubscribeOptions,
  SubscriptionError,
} from './subscribe/sms-events.ts';
export type { Subscription } from './subscribe/subscription.ts';
export { type ApiDestinationProps, Target } from './subscribe/target.ts';

// The stand-alone app, which has stacks of its own and reads its settings from the context.

export { explainMistakes } from './app/explain-mistakes.ts';
export {
  addStandAlonePipeline,
  type StandAloneOptions,
  type StandAloneStacks,
} from './app/stand-alone.ts';
