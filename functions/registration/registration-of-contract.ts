import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { CallerOptions } from '../base/sms-service/caller.ts';
import type { Registration } from './registration.ts';
import { createAccountWebhook } from './services/account-webhook.ts';
import { createTelnyxMessagingProfile, telnyxBaseUrl } from './services/telnyx-messaging-profile.ts';
import { createTwilioMessagingService, twilioBaseUrl } from './services/twilio-messaging-service.ts';

type RegistrationSource = Pick<Contract, 'registration' | 'service'>;

/** Connects to the API that registers the webhook, as the contract says. @param options for one invocation */
export function connectRegistration(
  { registration, service }: RegistrationSource,
  options: CallerOptions & { readonly webhookUrl: string },
): Registration {
  switch (registration?.kind) {
    case 'twilio-messaging-service':
      return createTwilioMessagingService({ ...options, id: registration.id });
    case 'telnyx-messaging-profile':
      return createTelnyxMessagingProfile({ ...options, id: registration.id });
    case undefined:
      return createAccountWebhook({ ...options, token: service.token });
  }
}

/** Returns the address of that API. */
export function registrationBaseUrl({ registration, service }: RegistrationSource): string {
  switch (registration?.kind) {
    case 'twilio-messaging-service':
      return twilioBaseUrl;
    case 'telnyx-messaging-profile':
      return telnyxBaseUrl;
    case undefined:
      return service.baseUrl;
  }
}
