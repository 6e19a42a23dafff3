import type { DetailType } from './detail-types.ts';
import type { Details } from './details.ts';

/** An event to publish: its detail type with the detail that belongs to it. */
export type BusEvent = {
  readonly [T in DetailType]: {
    readonly detailType: T;
    readonly detail: Details[T];
  };
}[DetailType];
