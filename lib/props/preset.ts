/** The presets of SMS services, for {@link Contract.preset}. docs/providers has a page for each service. */
export class Preset {
  static readonly FORTY_SIX_ELKS = '46elks';
  static readonly EIGHT_BY_EIGHT = '8x8';
  static readonly AFRICAS_TALKING = 'africas-talking';
  static readonly AWS_END_USER_MESSAGING_BARE = 'aws-end-user-messaging-bare';
  static readonly AWS_END_USER_MESSAGING_EVENTBRIDGE = 'aws-end-user-messaging-eventbridge';
  static readonly BANDWIDTH = 'bandwidth';
  static readonly BIRD = 'bird';
  static readonly BIRD_CHANNELS = 'bird-channels';
  static readonly BULKSMS = 'bulksms';
  static readonly CLICKATELL = 'clickatell';
  static readonly CLICKSEND = 'clicksend';
  static readonly GATEWAYAPI = 'gatewayapi';
  static readonly INFOBIP = 'infobip';
  static readonly MESSAGEBIRD_SMS = 'messagebird-sms';
  static readonly MESSAGEBIRD_SMS_HMAC = 'messagebird-sms-hmac';
  static readonly MESSAGEMEDIA = 'messagemedia';
  static readonly PLIVO_V2 = 'plivo-v2';
  static readonly PLIVO_V3 = 'plivo-v3';
  static readonly SEVEN = 'seven';
  static readonly SIGNALWIRE = 'signalwire';
  static readonly SINCH_CONVERSATION = 'sinch-conversation';
  static readonly SINCH_SMS = 'sinch-sms';
  static readonly SINCH_SMS_BASIC = 'sinch-sms-basic';
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
