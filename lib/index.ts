/** The public interface for your own CDK apps; everything else may change without notice. */

export type { CanonicalStatus, Outcome } from '../contract/schema/sms-event.ts';
export type { BusEvent, Details } from '../functions/bus/details.ts';
export { type DetailType, detailTypes, eventSource } from '../functions/bus/event-types.ts';
export { explainMistakes } from './app/explain-mistakes.ts';
export {
  addStandAlonePipeline,
  type StandAloneOptions,
  type StandAloneStacks,
} from './app/stand-alone.ts';
export type { AlarmsProps, AlarmThresholds } from './props/alarms.ts';
export {
  Automation,
  type BillingWatchProps,
  type ContactSyncProps,
  type FailureAlertProps,
  type ForwardProps,
  type OptOutContactsProps,
} from './props/automation.ts';
export { Contract } from './props/contract.ts';
export { Keywords } from './props/keywords.ts';
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
export { PipelinePropsError } from './props/resolve-options.ts';
export { type ISmsPipeline, SmsPipeline, type SmsPipelineAttributes } from './sms-pipeline.ts';
export type {
  DeliveryStatusFilter,
  DetailFilter,
  EventFilter,
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
export type { Subscription, SubscriptionTarget } from './subscribe/subscription.ts';
export {
  type ApiDestinationProps,
  apiDestination,
  eventBus,
  lambda,
  sns,
  sqs,
  stepFunctions,
} from './subscribe/targets.ts';
