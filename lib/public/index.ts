/**
 * An SMS pipeline for AWS CDK apps. This is the public interface: everything else may change without notice.
 *
 * ```ts
 * const sms = new SmsPipeline(this, 'Sms', {
 *   contract: Contract.fromFile('contract.json'),
 *   apiKey: Secret.fromSecretNameV2(this, 'Key', 'sms/api-key'),
 * });
 * sms.events.onReply(Target.lambda(fn), { keyword: ['stop'] });
 * ```
 *
 * @see docs/start/own-app.md
 */

// The pipeline, and what it is made from.

export type { AlarmOverrides, AlarmsProps } from './alarms.ts';
export { Contract } from './contract.ts';
export { Keywords } from './keywords.ts';
export { Preset } from './preset.ts';
export type {
  ConsoleDomainProps,
  ConsoleOidcProps,
  ConsoleProps,
  DomainProps,
  EventsProps,
  ExportsProps,
  FunctionsProps,
  InsightsProps,
  LogsProps,
  MutualTlsProps,
  SmsPipelineProps,
  SourceWebhookProps,
  TablesProps,
  WebhookProps,
  WorkerProps,
} from './props.ts';
export { SignaturePreset } from './signature-preset.ts';
export {
  type ISmsPipeline,
  SmsPipeline,
  type SmsPipelineAttributes,
  type SubscriptionAlarmsProps,
} from './sms-pipeline.ts';
export { SmsSource } from './sms-source.ts';
export type { SourceProps } from './source-props.ts';

// Automations that come with the pipeline.

export {
  Automation,
  type BillingWatchProps,
  type ContactSyncProps,
  type FailureAlertProps,
  type ForwardProps,
  type OptOutContactsProps,
} from './automation.ts';

// Your own automations: what they subscribe to, and where events go.

export { DetailType } from './detail-type.ts';
export { SmsEvents } from './sms-events.ts';
export type {
  DeliveryStatusOptions,
  EventOptions,
  ProviderOptions,
  ReplyOptions,
  SubscribeOptions,
} from './subscribe-options.ts';
export { Subscription } from './subscription.ts';
export { type ApiDestinationProps, Target } from './target.ts';
