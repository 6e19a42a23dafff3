import { anotherPhone, replyEvent, statusEvent } from './event-bodies.ts';
import type { Site } from './site.ts';

/** An automation that takes events from a queue: by what its outputs and its function are called. */
export interface Automation {
  readonly name: string;
  readonly label: string;
  /** Posts an event that it works off. */
  readonly cause: (site: Site) => Promise<void>;
}

export const optOut: Automation = {
  name: 'OptOut',
  label: 'opt-out',
  cause: (site) => site.post(replyEvent(anotherPhone(), 'STOP')),
};
export const contactSync: Automation = {
  name: 'ContactSync',
  label: 'contact-sync',
  cause: (site) => site.post(replyEvent(anotherPhone(), 'Thank you')),
};
export const forward: Automation = {
  name: 'Forward',
  label: 'forward',
  cause: (site) => site.post(statusEvent(`drill-forward-${Date.now()}`)),
};
export const failureAlert: Automation = {
  name: 'FailureAlert',
  label: 'failure-alert',
  cause: (site) => site.post(statusEvent(`drill-failed-${Date.now()}`, 'failed')),
};
