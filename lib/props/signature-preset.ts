/**
 * Presets that describe a signature alone, for {@link Contract.preset}. They name no service: a contract that extends one says itself where the
 * events and their fields are, for example `Contract.preset(SignaturePreset.STATIC_TOKEN, { events: { ... }, statuses: { ... } })`.
 */
export class SignaturePreset {
  static readonly BASIC_AUTH = 'basic-auth';
  static readonly MESSAGEBIRD_JWT = 'messagebird-jwt';
  static readonly STANDARD_WEBHOOKS = 'standard-webhooks';
  static readonly STATIC_TOKEN = 'static-token';
  static readonly STATIC_TOKEN_BODY = 'static-token-body';
  static readonly STATIC_TOKEN_QUERY = 'static-token-query';

  private constructor() {}
}
