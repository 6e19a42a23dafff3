/** The public interface for your own CDK apps; everything else may change without notice. */

export type { CanonicalStatus, Outcome } from '../contract/schema/sms-event.ts';
export type { BusEvent, Details } from '../functions/bus/details.ts';
export { type DetailType, detailTypes, eventSource } from '../functions/bus/event-types.ts';
export { addPipeline, type PipelineProps, type PipelineStacks } from './add-pipeline.ts';
export { bundleFunctions } from './bundling/bundle-functions.ts';
export { readContractFile } from './settings/input-files.ts';
export { readSettings, type Settings } from './settings/read-settings.ts';
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
