/** What CDK apps of your own may import; the rest may change without notice. */

export type { BusEvent } from '../functions/core/bus/bus-event.ts';
export { type DetailType, detailTypes, eventSource } from '../functions/core/bus/detail-types.ts';
export type { Details } from '../functions/core/bus/details.ts';
export type { CanonicalStatus, Outcome } from '../functions/core/statuses.ts';
export { readSettings, type Settings } from './config.ts';
export { bundleFunctions } from './constructs/bundle.ts';
export { readContractFile } from './contract-file.ts';
export { addPipeline, type PipelineApp, type PipelineAppProps } from './pipeline-app.ts';
export type { DetailFilter, StatusValue } from './subscriptions/detail-filter.ts';
export type { DeliveryStatusFilter, EventFilter, ReplyFilter, TextMatch } from './subscriptions/filters.ts';
export {
  SmsEvents,
  type SmsEventsProps,
  type SubscribeOptions,
  SubscriptionError,
} from './subscriptions/sms-events.ts';
export type { Subscription, SubscriptionTarget } from './subscriptions/subscription.ts';
export {
  type ApiDestinationProps,
  apiDestination,
  eventBus,
  lambda,
  sns,
  sqs,
  stepFunctions,
} from './subscriptions/targets.ts';
