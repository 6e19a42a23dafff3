import type { Place } from '../../contract/events/places.ts';

/** Splits a key into words in lower case: `messageId`, `message_id`, `MessageID` and `message-id` have the same two. */
export function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** The name of a field for comparison: in lower case, without separators of words. */
export interface FieldName {
  readonly last: string;
  /** The name of the object that holds the field, and its singular if it ends in s. */
  readonly parents: readonly string[];
  /** The name of the nearest object around it that is not just a wrapper; '' if there is none. */
  readonly container: string;
  /** The leading words that stand for an object in a flat event: `payload` in `payload_id`; '' if there are none. */
  readonly prefix: string;
  /** The name without that prefix. */
  readonly bare: string;
}

/** Leading words that say nothing of the field, and the letters by which some services mark types: `sMobileNo`, `dtDone`. */
const prefixes = new Set('sms payload data attributes s i n str dt'.split(' '));

/** Further words of that kind, unless the rest would be an id or a code: a `report_id` identifies a report. */
const holders = new Set(
  'report message msg event dlr delivery inbound outbound notification mo mt result results'.split(' '),
);
const ownNames = /^(?:id|uuid|sid|guid|uid|ref|reference|key|no|number|code|type|name)/;

/** Names of objects that are just wrappers. */
const wrappers = new Set(
  'data payload body event events report reports result results item items object attributes detail details content contents envelope value values entry entries change changes resource record records batch batches list notification delivery dlr dr receipt inbound outbound mo mt params fields info message messages sms msg text contact channel incoming reply response update statuses callback webhook root request query properties'.split(
    ' ',
  ),
);

/** No service has a longer name of a field. Names are compared part by part, which takes long for a key of 256 KB. */
const maxNameLength = 200;

export function nameOf(place: Place): FieldName {
  const keys = place
    .filter((step) => typeof step === 'string')
    .map((key) => (key.length > maxNameLength ? '' : key));
  const around = keys.slice(0, -1);
  const container = around.findLast((key) => !wordsOf(key).every((word) => wrappers.has(word)));
  const parent = plain(around.at(-1) ?? '');
  const words = wordsOf(keys.at(-1) ?? '');
  const isHolder = (word: string, rest: readonly string[]) =>
    prefixes.has(word) || (holders.has(word) && !ownNames.test(rest.join('')));
  const first = words.findIndex(
    (word, index) => index === words.length - 1 || !isHolder(word, words.slice(index + 1)),
  );
  return {
    prefix: words.slice(0, first).join('.'),
    bare: words.slice(first).join(''),
    last: plain(keys.at(-1) ?? ''),
    parents: parent.endsWith('s') ? [parent, parent.slice(0, -1)] : [parent],
    container: plain(container ?? ''),
  };
}

function plain(key: string): string {
  return wordsOf(key).join('');
}

/**
 * Rates how well a field's name matches a role, from 0 to 100.
 *
 * @param names the usual names of fields with this role, with their weights
 */
export function nameWeight(
  { last, parents, container, bare }: FieldName,
  names: ReadonlyMap<string, number>,
): number {
  const joined = [...parents, container].map((around) => names.get(around + last) ?? 0);
  const alone = names.get(last) ?? Math.max(names.get(bare) ?? 0, endingWeight(bare, names));
  // A name that is listed as weak stays weak: `clientMessageId` ends like the id of a message.
  const isWeak = (names.get(last) ?? 100) < 60;
  const endings = isWeak ? [] : parents.map((parent) => endingWeight(parent + last, names));
  return Math.max(...joined, ...endings, container === '' ? alone : alone * 0.6);
}

/** A name of this length is also recognised after a prefix: `callback_status`, `sms_message_id`. */
const minEndingLength = 5;

function endingWeight(name: string, names: ReadonlyMap<string, number>): number {
  let best = 0;
  for (let from = 1; from <= name.length - minEndingLength; from++)
    best = Math.max(best, (names.get(name.slice(from)) ?? 0) * 0.85);
  return best;
}

const answeredNames =
  /^(?:original(?!at)|orig(?:msg|message|id|$)|correlated|relat|parent|inreply|inresponse|replyto|responseto|answer|prev|quoted|sent|outbound|outgoing|mt(?:$|id|m)|context|receipted|initial|linked|last)/;

/** Reports whether the name of an id in a reply, or of an object around it, says that it is the id of the answered message. */
export function isNamedAfterAnswered({ last, parents, container }: FieldName): boolean {
  return [last, ...parents, container].some((name) => answeredNames.test(name));
}

/** Reads lines with a weight (to 100) and names of fields, in lower case without separators of words. */
function names(text: string): ReadonlyMap<string, number> {
  return new Map(
    text
      .trim()
      .split(/\s*\n\s*/)
      .flatMap((line) => {
        const [weight, ...all] = line.split(' ');
        return all.map((name) => [name, Number(weight)] as const);
      }),
  );
}

/** Lists the names for an id of something: `messageId`, `msg_ref`. */
function idsOf(things: string): string {
  const all = (ends: string) =>
    things.split(' ').flatMap((thing) => ends.split(' ').map((end) => `${thing}${end}`));
  return `
  100 ${all('id sid uuid guid').join(' ')}
  90 ${all('uid ref reference key no number identifier handle').join(' ')}`;
}

/** Names that some services use for their own id of a message, and others for a reference that the sender of the message chose. */
const eitherReferences = 'reference ref refid externalid externalmessageid'.split(' ');
/** Names of a reference that the sender of the message chose. Messages may share it, so that it identifies none. */
const clientReferences =
  'clientref clientreference clientid clientmessageid climsgid customerreference customref customreference customid customerid customstring custom userref userreference usersuppliedid ownid callbackdata correlationid requestid linkid label tag idx foreignid metadata'.split(
    ' ',
  );

/** Reports whether a field is named like a reference that the sender of the message chose, and, if so, whether it is nothing else. */
export function referenceKind({ last, bare }: FieldName): 'either' | 'client' | undefined {
  const isOf = (names: readonly string[]) => names.includes(last) || names.includes(bare);
  if (isOf(clientReferences)) return 'client';
  return isOf(eitherReferences) ? 'either' : undefined;
}

const ids = `${idsOf('message msg sms smsmessage apimessage apimsg')}
  95 smssid umid
  80 id sid uuid guid uid identifier
  75 trackingid mid receiptid
  60 transactionid deliveryid notifyid reportid
  55 ${eitherReferences.join(' ')}
  46 ${clientReferences.join(' ')}`;

/** Names for a person's number. It is the recipient of a message and the sender of a reply. */
const numbers = `
  85 phonenumber phone mobile mobilenumber mobileno phoneno cellphone cellnumber
  75 number subscriber handset contact contactid waid`;

const times = `
  90 timestamp messagetimestamp
  88 ts time datetime eventtimestamp eventtime eventts tstamp
  84 date when at
  80 updatedat updateddate dateupdated lastupdated updatetime modifiedat
  70 createdtime createtime acceptedtime`;

const outwards = `
  100 msisdn
  95 to sendto tonumber tophonenumber tophone recipient recipientnumber recipientphone recipientphonenumber recipientid
  90 destination dest destaddr destinationaddress destinationnumber destinationphonenumber receiver receivernumber receiveraddress recipientaddress toaddress toendpoint
  80 dst da target address identity`;

export const roleNames = {
  messageId: names(`${ids}${idsOf('outboundmessage mt mtmessage receiptedmessage')}
    60 dlrid drid dlid retid returnid`),
  sendId: names(`
    100 sendid campaignid batchid bulkid broadcastid mailingid blastid campaigntrackingid
    90 jobid taskid packetid packageid campaign batch bulk sendref submissionid
    75 groupid sendoutid`),
  recipient: names(`${outwards}${numbers}`),
  status: names(`
    100 status messagestatus deliverystatus dlrstatus dlvstatus msgstatus messagestate deliverystate reportstatus
    98 smsstatus smsstate
    95 state stat
    92 statusgroupname dlr
    90 statusname statuscode statusvalue statustype
    75 outcome result deliveryresult
    70 event eventtype eventname
    60 statustext type kind action code dlrcode resultcode
    50 statusdescription statusmessage`),
  occurredAt: names(`${times}
    100 occurredat happenedat
    98 doneat donedate donetime
    90 done
    95 statustime statusat statusdate statustimestamp statuschangedat eventtime eventtimestamp dlrtime dlrtimestamp reporttime reportedat deliveryreporttime
    92 deliveredat deliverytime deliverydate finalizedat completedat completeddate completiontime
    88 scts
    92 statusdatetime operatortimestamp operatorstatusat userreceivetime
    85 receivedate receivetime receivedat receivedtime receiveddate
    70 acceptedtime
    60 sentat senttime sendtime datesent sentdate senddate
    55 created createdat createddate createddatetime datecreated submittedat submitdate submittime
`),
  errorCode: names(`
    100 errorcode errcode errorscode dlrerr
    95 err errorid failurecode errorsid
    90 reasoncode failurereasoncode causecode channelerrorcode dlrcode dlrerrorcode
    70 error errorname errornumber errno
    60 errortitle code statuscode`),
  errorText: names(`
    100 errormessage errortext errmessage errortitle errtext errmsg errormsg errdesc errordesc
    95 errordescription failurereason failuremessage failuredescription reasondescription
    90 errordetail errordetails errorreason errorstitle failuredetails failuredetail statusreason
    85 reason cause causereason
    70 error
    60 description desc statusdescription statusmessage statustext detail details`),
  replyId: names(
    `${ids}${idsOf('reply inbound inboundmessage mo momessage incoming incomingmessage response')}`,
  ),
  answeredId: names(`
    100 originalmessageid inreplytomessageid replytomessageid relatedmessageid
    95 inresponseto responseto answerto inresponsetoid originalmessageuuid originalmessageref inreplyto inreplytoid replytoid mtmessageid parentmessageid previousmessageid quotedmessageid inreplytomessage
    95 relatedsentmessageid sentid outboundid
    90 lastmessageid previouspublishedmessageid sentmessageid repliedmessageid answeredmessageid
    85 originalid contextid parentid relatesto mtid outboundmessageid receiptedmessageid
    70 replyto`),
  from: names(`
    100 msisdn
    95 from fromnumber fromphonenumber fromphone sender sendernumber senderphone senderphonenumber
    90 originator source src sourceaddr sourceaddress sourcenumber originationnumber originationphonenumber fromaddress senderaddress fromendpoint origin origaddr
    80 senderid oa address identity${numbers}`),
  to: names(`${outwards.replace('100 msisdn', '')}
    90 inbox inboxnumber ournumber shortcode longcode servicenumber virtualnumber inboundnumber destinationid
    80 senderid serviceid keywordnumber system did dnis`),
  text: names(`
    100 text messagebody messagetext smstext smsbody replytext textbody messagecontent usermessage msgtext msgcontent smscontent textmessage
    95 body
    90 message content msg txt response
    85 inboundtext replybody
    60 sms data cleantext`),
  receivedAt: names(`${times}
    100 receivedat receivedtime receiveddate receivedtimestamp timereceived datereceived receivedate receptiondate receptiontime
    98 occurredat happenedat motime
    75 sentat senttime sendtime datesent datetimeentry
    70 created createdat createddate createddatetime createtime datecreated
`),
  eventId: names(`
    100 eventid eventsid eventuuid evtid webhookeventid
    90 notificationid notificationtaskid callbackid reportid
    70 id uuid deliveryid`),
  kind: names(`
    100 eventtype event type kind messagetype notificationtype callbacktype webhooktype detailtype evt evttype msgtype messagekind
    90 direction eventname topic action category recordtype
    80 object name resource mode channeltype`),
} as const;

/** Names of objects that identify the owner of the number in them. */
export const numberNames: ReadonlySet<string> = new Set([
  ...roleNames.from.keys(),
  ...roleNames.to.keys(),
  ...roleNames.recipient.keys(),
]);
