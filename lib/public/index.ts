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

export type { AlarmOverrides, AlarmsProps } from '../props/alarms.ts';
export type { SmsPipelineAttributes, SubscriptionAlarmsProps } from '../props/attributes.ts';
export { Contract } from '../props/contract.ts';
export { Keywords } from '../props/keywords.ts';
export { Preset } from '../props/preset.ts';
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
} from '../props/props.ts';
export { SignaturePreset } from '../props/signature-preset.ts';
export type { SourceProps } from '../props/source-props.ts';
export { type ISmsPipeline, SmsPipeline } from './sms-pipeline.ts';
export { SmsSource } from './sms-source.ts';

// Automations that come with the pipeline.

export {
  Automation,
  type ContactSyncProps,
  type FailureAlertProps,
  type ForwardProps,
  type OptOutContactsProps,
} from '../props/automation.ts';

// Your own automations: what they subscribe to, and where events go.

export type {
  DeliveryStatusOptions,
  EventOptions,
  ProviderOptions,
  ReplyOptions,
  SubscribeOptions,
} from '../props/subscribe-options.ts';
export { DetailType } from './detail-type.ts';
export { SmsEvents } from './sms-events.ts';
export { Subscription } from './subscription.ts';
export { type ApiDestinationProps, Target } from './target.ts';
