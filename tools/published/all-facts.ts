import { africasTalking } from './providers/africas-talking.ts';
import { awsEndUserMessagingBare } from './providers/aws-end-user-messaging-bare.ts';
import { awsEndUserMessagingEventbridge } from './providers/aws-end-user-messaging-eventbridge.ts';
import { bandwidth } from './providers/bandwidth.ts';
import { bird } from './providers/bird.ts';
import { birdChannels } from './providers/bird-channels.ts';
import { bulksms } from './providers/bulksms.ts';
import { clickatell } from './providers/clickatell.ts';
import { clicksend } from './providers/clicksend.ts';
import { eightByEight } from './providers/eight-by-eight.ts';
import { fortySixElks } from './providers/forty-six-elks.ts';
import { gatewayapi } from './providers/gatewayapi.ts';
import { infobip } from './providers/infobip.ts';
import { messagebirdSms } from './providers/messagebird-sms.ts';
import { messagemedia } from './providers/messagemedia.ts';
import { plivo } from './providers/plivo.ts';
import { seven } from './providers/seven.ts';
import { signalwire } from './providers/signalwire.ts';
import { sinchConversation } from './providers/sinch-conversation.ts';
import { sinchSms, sinchSmsBasic } from './providers/sinch-sms.ts';
import { telnyx } from './providers/telnyx.ts';
import { termii } from './providers/termii.ts';
import { textlocal } from './providers/textlocal.ts';
import { textmagic } from './providers/textmagic.ts';
import { twilio } from './providers/twilio.ts';
import { twilioEventStreams } from './providers/twilio-event-streams.ts';
import { vonageMessages } from './providers/vonage-messages.ts';
import { vonageSms } from './providers/vonage-sms.ts';
import { zenvia } from './providers/zenvia.ts';
import type { PublishedFacts } from './published-facts.ts';

/** What the providers of all presets publish. */
export const allFacts: readonly PublishedFacts[] = [
  africasTalking,
  awsEndUserMessagingBare,
  awsEndUserMessagingEventbridge,
  bandwidth,
  bird,
  birdChannels,
  bulksms,
  clickatell,
  clicksend,
  eightByEight,
  fortySixElks,
  gatewayapi,
  infobip,
  messagebirdSms,
  messagemedia,
  plivo,
  seven,
  signalwire,
  sinchConversation,
  sinchSms,
  sinchSmsBasic,
  telnyx,
  termii,
  textlocal,
  textmagic,
  twilio,
  twilioEventStreams,
  vonageMessages,
  vonageSms,
  zenvia,
];
