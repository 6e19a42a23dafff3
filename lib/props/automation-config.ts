import type {
  BillingWatchProps,
  ContactSyncProps,
  FailureAlertProps,
  ForwardProps,
  OptOutContactsProps,
} from '../public/automation.ts';

/** What an automation does, by its kind. */
export type AutomationConfig =
  | { readonly kind: 'optOutContacts'; readonly props: OptOutContactsProps }
  | { readonly kind: 'contactSync'; readonly props: ContactSyncProps }
  | { readonly kind: 'failureAlert'; readonly props: FailureAlertProps }
  | { readonly kind: 'forward'; readonly props: ForwardProps }
  | { readonly kind: 'billingWatch'; readonly props: BillingWatchProps }
  | { readonly kind: 'deliveryWatch' };
