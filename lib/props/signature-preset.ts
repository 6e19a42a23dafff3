/**
 * Presets that describe a signature alone, for {@link Contract.preset}. They name no service: a contract that extends one says itself where the
 * events and their fields are, for example `Contract.preset(SignaturePreset.STATIC_TOKEN, { events: { ... }, statuses: { ... } })`.
 */
export class SignaturePreset {
  /** A user name and a password in the header `Authorization`. Nothing is signed. */
  static readonly BASIC_AUTH = 'basic-auth';
  /** A JWT with hashes of URL and body, as MessageBird's earlier APIs sign. */
  static readonly MESSAGEBIRD_JWT = 'messagebird-jwt';
  /** HMAC over id, time and body, as Standard Webhooks and Svix sign. */
  static readonly STANDARD_WEBHOOKS = 'standard-webhooks';
  /** A fixed token in a header. Nothing is signed. */
  static readonly STATIC_TOKEN = 'static-token';
  /** A fixed token in a field of the body. Nothing is signed. */
  static readonly STATIC_TOKEN_BODY = 'static-token-body';
  /** A fixed token in the query of the URL, which logs often keep. Nothing is signed. */
  static readonly STATIC_TOKEN_QUERY = 'static-token-query';

  private constructor() {}
}
