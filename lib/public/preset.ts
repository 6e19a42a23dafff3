/** The contracts of the package: {@link Contract.preset}. docs/reference/contract.md describes each. */
export class Preset {
  static readonly FORTY_SIX_ELKS = '46elks';
  static readonly EIGHT_BY_EIGHT = '8x8';
  static readonly AFRICAS_TALKING = 'africas-talking';
  static readonly AWS_END_USER_MESSAGING_BARE = 'aws-end-user-messaging-bare';
  static readonly AWS_END_USER_MESSAGING_EVENTBRIDGE = 'aws-end-user-messaging-eventbridge';
  static readonly BANDWIDTH = 'bandwidth';
  static readonly BASIC_AUTH = 'basic-auth';
  static readonly BIRD = 'bird';
  static readonly BIRD_CHANNELS = 'bird-channels';
  static readonly BULKSMS = 'bulksms';
  static readonly CLICKATELL = 'clickatell';
  static readonly CLICKSEND = 'clicksend';
  static readonly GATEWAYAPI = 'gatewayapi';
  static readonly GITHUB = 'github';
  static readonly INFOBIP = 'infobip';
  static readonly MESSAGEBIRD_JWT = 'messagebird-jwt';
  static readonly MESSAGEBIRD_SMS = 'messagebird-sms';
  static readonly MESSAGEBIRD_SMS_HMAC = 'messagebird-sms-hmac';
  static readonly MESSAGEMEDIA = 'messagemedia';
  static readonly PLIVO_V2 = 'plivo-v2';
  static readonly PLIVO_V3 = 'plivo-v3';
  static readonly SEVEN = 'seven';
  static readonly SHOPIFY = 'shopify';
  static readonly SIGNALWIRE = 'signalwire';
  static readonly SINCH_CONVERSATION = 'sinch-conversation';
  static readonly SINCH_SMS = 'sinch-sms';
  static readonly SLACK = 'slack';
  static readonly STANDARD_WEBHOOKS = 'standard-webhooks';
  static readonly STATIC_TOKEN = 'static-token';
  static readonly STATIC_TOKEN_BODY = 'static-token-body';
  static readonly STATIC_TOKEN_QUERY = 'static-token-query';
  static readonly STRIPE = 'stripe';
  static readonly TELNYX = 'telnyx';
  static readonly TERMII = 'termii';
  static readonly TEXTLOCAL = 'textlocal';
  static readonly TEXTMAGIC = 'textmagic';
  static readonly TWILIO = 'twilio';
  static readonly TWILIO_EVENT_STREAMS = 'twilio-event-streams';
  static readonly VONAGE_MESSAGES = 'vonage-messages';
  static readonly VONAGE_SMS = 'vonage-sms';
  static readonly ZENVIA = 'zenvia';

  private constructor() {}
}
