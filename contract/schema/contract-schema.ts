import * as z from 'zod';
import { coverageOf, coversPath, isSigned } from './coverage.ts';
import { lookups } from './lookups-schema.ts';
import { baseUrl } from './plain-url.ts';
import { type RequestForm, requestForms } from './request-form.ts';
import { headerName, type signature } from './signature-schema.ts';
import { hasOpenPath, parseTemplate } from './signed-template.ts';
import { canonicalStatuses } from './sms-event.ts';
import {
  errorMeaning,
  expression,
  numberRules,
  optionalField,
  problemOfNumberRules,
  statusFields,
  text,
  time,
  timeFormat,
  timeZone,
} from './status-fields-schema.ts';
import { type WebhookContract, webhook } from './webhook-schema.ts';

/**
 * This is the one description of `contract.json`, which holds what the SMS service's document does not show.
 * It validates the file at synth and bundle time, and the JSON Schema for editors is generated from it.
 * Functions get the validated value and import only the types, so that zod stays out of their bundles.
 */

const path = z
  .string()
  .startsWith('/', 'expected a path that begins with /')
  .describe('The path below the base URL.');
const method = z.enum(['GET', 'POST', 'PUT', 'DELETE']).describe('The HTTP method.');

const service = z
  .strictObject({
    baseUrl: baseUrl.describe("The service's base URL, without a path."),
    token: z
      .strictObject({
        exchange: z
          .strictObject({
            method,
            path,
            apiKey: z
              .strictObject({
                in: z.enum(['body', 'header', 'query']).describe('The place of the key in the request.'),
                name: text.describe('The name of the field, header or parameter.'),
                prefix: z.string().default('').describe('The text before the key, such as "Bearer ".'),
              })
              .describe('Where the API key goes in the request.'),
            accessToken: expression.describe('JMESPath to the token in the response.'),
            expiresIn: expression
              .nullable()
              .describe('JMESPath to the lifetime in seconds. null if the response does not state it.'),
            defaultLifetimeSeconds: z
              .int()
              .positive()
              .default(300)
              .describe('The lifetime if the response does not state it.'),
          })
          .refine(({ method, apiKey }) => method !== 'GET' || apiKey.in !== 'body', {
            path: ['apiKey', 'in'],
            message: 'expected "header" or "query": a GET request has no body',
          })
          .describe('The operation that exchanges the API key for a token.'),
        revoke: z
          .strictObject({ method, path })
          .nullable()
          .describe('How a token is revoked, or null if tokens only expire.'),
      })
      .describe('How an API key becomes a Bearer token.'),
  })
  .describe('The service: its URL, and how an API key becomes a Bearer token.');

/** How each kind of registration names the object at the service whose webhook is set. */
const registrationIds = {
  'twilio-messaging-service': {
    form: /^MG[0-9a-fA-F]{32}$/,
    expected: 'expected the SID of a messaging service of Twilio: MG and 32 hexadecimal digits',
  },
  'telnyx-messaging-profile': {
    form: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    expected: 'expected the id of a messaging profile of Telnyx: a UUID, as the profile shows it',
  },
} as const;

const registration = z
  .strictObject({
    kind: z
      .enum(['twilio-messaging-service', 'telnyx-messaging-profile'])
      .describe('The kind of object at the service that has the address of the webhook.'),
    id: z
      .string('expected the id of the messaging service (Twilio) or of the messaging profile (Telnyx)')
      .describe('The id of this object: a SID that begins with MG (Twilio), or a UUID (Telnyx).'),
  })
  .superRefine(({ kind, id }, context) => {
    const { form, expected } = registrationIds[kind];
    if (!form.test(id)) context.addIssue({ code: 'custom', path: ['id'], message: expected });
  })
  .describe('The API that registers the webhook, or null if it is the one that "service" describes.');

export const replyFields = z
  .strictObject({
    replyId: optionalField("the reply's id"),
    messageId: optionalField('the id of the answered message'),
    from: expression.describe("JMESPath to the sender's number."),
    to: optionalField('the receiving number'),
    text: expression.describe('JMESPath to the text, or to a list of texts.'),
    occurredAt: time,
    media: optionalField('the addresses of pictures and other media: a text, or a list of texts'),
    channel: optionalField('the channel of the reply, such as `whatsapp`; left out for SMS'),
    optOut: optionalField(
      'what the service itself understood: `STOP`, in any letter case, or true if the person opted out. Other values say nothing',
    ),
    partReference: optionalField('the number that the parts of one reply share'),
    partTotal: optionalField('the number of parts of the reply'),
    partNumber: optionalField('the number of this part, from 1'),
  })
  .describe('The fields of a reply.');

const events = z
  .strictObject({
    list: expression.describe('JMESPath to the list of events.'),
    kind: expression.describe('JMESPath to "sms.status" or "sms.reply".'),
    id: z
      .discriminatedUnion('from', [
        z
          .strictObject({ from: z.literal('signed-id') })
          .describe('The id of an event is the one that the signature covers.'),
        z
          .strictObject({ from: z.literal('body'), path: expression.describe('JMESPath to this field.') })
          .describe('The id of an event is one of its fields.'),
        z
          .strictObject({ from: z.literal('content') })
          .describe('The id of an event is a hash of its content.'),
      ])
      .describe('The identity of an event: deliveries with the same id are the same event.'),
    timeFormat: timeFormat.describe(
      'The format of times, or a list of formats. "compact" is YYYYMMDDhhmmss, "smpp" is YYMMDDhhmm or YYMMDDhhmmss, "dotted" is dd.mm.yyyy hh:mm:ss, "javascript" is the text of a JavaScript date.',
    ),
    timeZone: timeZone.describe(
      'The zone of times that have none: a name such as "America/New_York", or an offset such as "+05:30". With null they are read as UTC, and marked as assumed.',
    ),
    ...numberRules,
    status: statusFields,
    reply: replyFields,
  })
  .describe(
    'Where the events and their fields are in a body. Every expression except "list" starts at one event.',
  );

const sample = z
  .strictObject({
    name: text.describe('What the sample shows.'),
    source: z.url().optional().describe('The page that documents the sample.'),
    body: z.json().optional().describe('The body of the request: JSON, or an object of texts for a form.'),
    bodyText: z.string().optional().describe('The exact text of the body, instead of "body".'),
    method: z
      .enum(['POST', 'GET'])
      .exactOptional()
      .describe('The HTTP method of the request, if the contract names two. By default it is the main one.'),
    query: z
      .string()
      .exactOptional()
      .describe(
        'The query of its URL without "?", if the contract reads it. By default it is that of "request.url".',
      ),
    path: z
      .string()
      .exactOptional()
      .describe('The path behind that of the webhook without its first "/", if the contract reads it.'),
    request: z
      .strictObject({
        url: z.url().default('https://example.com/webhooks/sms').describe('The URL of the request.'),
        headers: z.record(headerName, z.string()).describe('The headers of the request.'),
        secret: text.describe('The secret that verifies the request. It must not be in use.'),
        receivedAt: z.iso.datetime().describe('The time at which the request was received.'),
        signed: z
          .enum(['documented', 'by us'])
          .describe("The signature is from the service's documentation, or was made by us."),
      })
      .optional()
      .describe('The other parts of a request, if the sample is a whole request with a valid signature.'),
    becomes: z
      .array(z.record(z.string(), z.json()))
      .min(1)
      .optional()
      .describe('The expected events, each with "kind" and the fields to compare.'),
  })
  .refine(({ body, bodyText }) => (body === undefined) !== (bodyText === undefined), {
    message: 'expected either "body" or "bodyText"',
  })
  .refine(({ request, becomes }) => request !== undefined || becomes !== undefined, {
    path: ['becomes'],
    message: 'expected the resulting events, or a "request" whose signature is verified',
  });

const about = z
  .strictObject({
    service: text.describe("The service's name."),
    documentation: z.array(z.url()).describe('The sources of the contract.'),
    unverified: z.array(text).default([]).describe('What the sources leave open, so that you can check it.'),
  })
  .describe('Where the contract comes from.');

/** Schema of `contract.json`. */
export const contractSchema = z
  .strictObject({
    $schema: z.string().optional(),
    about: about.optional(),
    service,
    registration: registration.nullable().default(null),
    lookups: lookups.nullable().default(null),
    webhook,
    events,
    statuses: z
      .record(text, z.enum(canonicalStatuses))
      .describe("The service's words, with their canonical statuses."),
    errors: z
      .record(text, errorMeaning)
      .default({})
      .describe(
        "The service's error codes, with their canonical reasons, or `none` for a code that means no error.",
      ),
    samples: z
      .array(sample)
      .describe('Real bodies, with the events that they become. Synthesis compares them.'),
  })
  .superRefine(({ registration, webhook, events }, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (webhook.method === 'GET' && registration !== null)
      problem(
        ['webhook', 'method'],
        'expected "POST": with "registration" the pipeline makes the service send POST',
      );
    const { also } = webhook;
    const [main, other] = requestForms(webhook);
    checkForm(main, ['webhook'], events.id.from, problem);
    // A signature that both forms share may cover the body of one of them only.
    const sharing =
      also !== undefined && also.signature === undefined ? [main.method, also.method] : [main.method];
    if ('unsignedBody' in main.signature && sharing.every((method) => coversBody(main.signature, method)))
      problem(['webhook', 'signature', 'unsignedBody'], 'expected nothing: the signature covers the body');
    for (const { path, message } of problemsOfReads(webhook, events.id)) problem(path, message);
    const ofNumbers = problemOfNumberRules(events);
    if (ofNumbers !== undefined) problem(['events', 'numbers'], ofNumbers);
    if (other === undefined) return;
    if (other.method === main.method) {
      problem(
        ['webhook', 'also', 'method'],
        `expected the other method than ${main.method}, which "webhook.method" names`,
      );
      return;
    }
    if (
      also?.signature !== undefined &&
      'unsignedBody' in also.signature &&
      coversBody(also.signature, also.method)
    )
      problem(
        ['webhook', 'also', 'signature', 'unsignedBody'],
        'expected nothing: the signature covers the body',
      );
    if (secretKind(main.signature) !== secretKind(other.signature))
      problem(
        ['webhook', 'also', 'signature'],
        'expected a scheme that uses the secret of "webhook.signature": a source has one secret. Receive requests with another secret, or without a signature, at a source of their own',
      );
    else
      checkForm(
        other,
        also?.signature === undefined ? ['webhook'] : ['webhook', 'also'],
        events.id.from,
        problem,
        ['webhook', 'also'],
      );
  })
  .meta({
    title: 'Contract of the SMS service',
    description: 'What the documentation of the service does not show.',
  });

type Scheme = z.output<typeof signature>;

/**
 * Checks the rules of requests with one HTTP method.
 *
 * @param signed the path of the object that has their signature
 * @param at the path of the object that has their format
 */
function checkForm(
  { signature: scheme, method, bodyFormat, charset }: RequestForm,
  signed: string[],
  idFrom: IdSource,
  problem: (path: string[], message: string) => void,
  at = signed,
): void {
  const template = 'signedContent' in scheme ? scheme.signedContent : '';
  const requests = at === signed ? '' : ` (of ${method} requests, "${at.join('.')}")`;
  if (method === 'GET' && bodyFormat !== 'form')
    problem([...at, 'bodyFormat'], 'expected "form": the query of a GET is read as a form');
  if (template.includes('{form') && bodyFormat !== 'form')
    problem(
      [...signed, 'signature', 'signedContent'],
      `expected {body}: only a body of the format "form" has parameters to sort${requests}`,
    );
  for (const message of problemsOfLists(template, bodyFormat, charset))
    problem([...signed, 'signature', 'signedContent'], message + requests);
  if (!coversBody(scheme, method) && !('unsignedBody' in scheme))
    problem(
      [...signed, 'signature', 'signedContent' in scheme ? 'signedContent' : 'payloadHash'],
      (method === 'GET'
        ? 'expected the query to be signed: {url}, {query} or {form}, or "unsignedBody": true if the service does not sign it'
        : 'expected a template that holds {body}, {body:sha256} or {form}, or "unsignedBody": true if the service does not sign the body') +
        requests,
    );
  if ('signedContent' in scheme && scheme.timestamp !== null && !isSigned(scheme, 'timestamp', method))
    problem(
      [...signed, 'signature', 'signedContent'],
      `expected {timestamp}: a timestamp that is not signed proves nothing${requests}`,
    );
  if (typeof charset === 'object' && bodyFormat !== 'form')
    problem([...at, 'charset'], 'expected a label: only a form has a field that names a charset');
  const ofId = problemOfId(idFrom, scheme, method);
  if (ofId !== undefined) problem(['events', 'id', 'from'], ofId + requests);
}

/** Says which lists of parameters a body of this format does not have. */
function problemsOfLists(
  template: string,
  bodyFormat: RequestForm['bodyFormat'],
  charset: RequestForm['charset'],
): string[] {
  const lists = parseTemplate(template).placeholders.flatMap((part) =>
    part?.kind === 'list' ? [part.list] : [],
  );
  if (bodyFormat === 'form') {
    const isDecoded = lists.some(({ flags }) => !flags.includes('encoded'));
    return [
      ...(lists.some(({ source }) => source === 'fields')
        ? ['expected {form:...} in place of {fields:...}, which are the fields of a body in JSON']
        : []),
      ...(charset !== undefined && isDecoded
        ? [
            'expected "encoded:" in each list of parameters, or no "charset": the verifier decodes signed values as UTF-8 alone, so a letter of another charset could be exchanged',
          ]
        : []),
    ];
  }
  return lists.some(({ source, flags }) => source !== 'query' && flags.includes('encoded'))
    ? [
        'expected {fields:...} and {params:...} without "encoded:" and "sorted": JSON has no percent-encoding, so a value could hold what separates it from the next one',
      ]
    : [];
}

/** Lists what is wrong with the values that are read beside the body: signed ones must be signed, and ids must not depend on others. */
export function problemsOfReads(
  webhook: WebhookContract,
  id: { readonly from: IdSource; readonly path?: string },
): { readonly path: string[]; readonly message: string }[] {
  const { reads = {} } = webhook;
  const problems: { readonly path: string[]; readonly message: string }[] = [];
  const problem = (path: string[], message: string) => problems.push({ path, message });
  const forms = requestForms(webhook);
  const ofQuery = forms.filter(({ method }) => method === 'POST');
  if (reads.query !== undefined && ofQuery.length === 0)
    problem(
      ['webhook', 'reads', 'query'],
      'expected nothing: the query of a GET is read as its body. Remove it',
    );
  if (reads.query === 'signed' && !ofQuery.every(({ signature }) => coversQuery(signature)))
    problem(
      ['webhook', 'reads', 'query'],
      'expected "unsigned": the signature covers no query, because signedContent holds neither {url}, {query} nor {path:query}, and a JWT has no "urlHash"',
    );
  if (reads.path === 'signed' && !forms.every(({ signature }) => coversUrlPath(signature)))
    problem(
      ['webhook', 'reads', 'path'],
      'expected "unsigned": the signature covers no path, because signedContent holds neither {url}, {url:base}, {path} nor {path:query}, and a JWT has no "urlHash"',
    );
  const isPathOpen = forms.some(
    ({ signature }) => 'signedContent' in signature && hasOpenPath(signature.signedContent),
  );
  if (reads.path !== undefined && isPathOpen)
    problem(
      ['webhook', 'signature', 'signedContent'],
      'expected a line break, a blank or "?" between the path and its neighbour: with "webhook.reads.path" a sender chooses the path, so bytes could move from one to the other',
    );
  for (const [part, property] of [
    ['query', 'requestQuery'],
    ['path', 'requestPath'],
  ] as const) {
    if (reads[part] !== 'unsigned') continue;
    if (id.from === 'content')
      problem(
        ['events', 'id', 'from'],
        `expected "body" or "signed-id": "webhook.reads" has an unsigned ${part}, which the content would include, so a sender could give one event any number of ids`,
      );
    if (id.path?.includes(property))
      problem(
        ['events', 'id', 'path'],
        `expected a field of the body: "${property}" is not signed, so a sender could give one event any number of ids`,
      );
  }
  if (
    reads.query === 'signed' &&
    id.from === 'content' &&
    ofQuery.some(({ signature }) => hasPartInQuery(signature))
  )
    problem(
      ['events', 'id', 'from'],
      'expected "body" or "signed-id": the query that "webhook.reads" adds to the content holds parts of the signature, which differ if an event is sent again',
    );
  return problems;
}

/** Reports whether the signature covers the query of a POST. A secret that is sent itself vouches for all. */
export function coversQuery(scheme: Scheme): boolean {
  if (scheme.scheme === 'jwt') return scheme.urlHash !== null;
  return !('signedContent' in scheme) || coverageOf(scheme, 'POST').query;
}

function coversUrlPath(scheme: Scheme): boolean {
  if (scheme.scheme === 'jwt') return scheme.urlHash !== null;
  return !('signedContent' in scheme) || coversPath(scheme);
}

/** Reports whether the signature, its id or its time is a parameter of the query. */
function hasPartInQuery(scheme: Scheme): boolean {
  if (!('signedContent' in scheme)) return false;
  const { id, timestamp, payloadHash } = scheme;
  return [scheme, id, timestamp, payloadHash].some((part) => part?.query !== undefined);
}

/** Says which kind of secret verifies requests: schemes of one kind can share it. */
function secretKind(scheme: Scheme): 'none' | 'shared' | 'public key' {
  if (scheme.scheme === 'none') return 'none';
  const isPublicKey =
    scheme.scheme === 'public-key' || (scheme.scheme === 'jwt' && !scheme.algorithm.startsWith('HS'));
  return isPublicKey ? 'public key' : 'shared';
}

/** Reports whether the signature covers an id of the request. */
export function signsId(scheme: Scheme, method?: 'POST' | 'GET'): boolean {
  if (scheme.scheme === 'jwt') return scheme.id !== null;
  return 'signedContent' in scheme && isSigned(scheme, 'id', method);
}

/** Reports whether the signature covers the bytes that events are read from. A secret that is sent itself vouches for all. */
export function coversBody(scheme: Scheme, method: 'POST' | 'GET'): boolean {
  if (scheme.scheme === 'jwt') return (method === 'GET' ? scheme.urlHash : scheme.payloadHash) !== null;
  return !('signedContent' in scheme) || coverageOf(scheme, method).body;
}

/** Where the id of an event comes from. */
type IdSource = 'body' | 'content' | 'signed-id';

/** Says why the id of events cannot come from there: it must be signed, and have one form only. */
export function problemOfId(
  from: IdSource,
  scheme: Scheme,
  method: 'POST' | 'GET' = 'POST',
): string | undefined {
  const template = 'signedContent' in scheme ? scheme.signedContent : '';
  if (from === 'signed-id' && !template.includes('{id}') && !signsId(scheme, method))
    return 'expected "body" or "content": "signed-id" needs a signature whose signedContent holds {id}, or a JWT with an id';
  if (from !== 'signed-id' && !coversBody(scheme, method))
    return 'expected "signed-id": the signature does not cover the body, so a sender could give one event any number of ids';
  if (from === 'content' && isContentAmbiguous(scheme, method))
    return 'expected "body" or "signed-id": the signature leaves open how the content is written, so one event could get several ids';
  return undefined;
}

/** Reports whether requests with other contents may have the same signature, or one content several signatures. */
function isContentAmbiguous(scheme: Scheme, method: RequestForm['method']): boolean {
  if (!('signedContent' in scheme)) return false;
  // A signature does not cover itself, so a second parameter of its name could be added to the content.
  const isSignatureInContent = scheme.body !== undefined || (method === 'GET' && scheme.query !== undefined);
  return isSignatureInContent || /\{(?:fields|params|\w+[^}]*:unique)/.test(scheme.signedContent);
}

/** A validated contract: `contract.json` with every default filled in. */
export type Contract = z.output<typeof contractSchema>;

export type SignatureContract = Contract['webhook']['signature'];
export type HashSignatureContract = Extract<SignatureContract, { scheme: 'hash' }>;
export type HmacSignatureContract = Extract<SignatureContract, { scheme: 'hmac' }>;
export type PublicKeySignatureContract = Extract<SignatureContract, { scheme: 'public-key' }>;
export type JwtSignatureContract = Extract<SignatureContract, { scheme: 'jwt' }>;
export type TokenSignatureContract = Extract<SignatureContract, { scheme: 'token' }>;
/** The schemes that sign a text made of the request. */
export type SignedTextContract = HmacSignatureContract | HashSignatureContract | PublicKeySignatureContract;
export type EventsContract = Contract['events'];
export type LookupsContract = NonNullable<Contract['lookups']>;

/** The contract that a function is bundled with: validated, with every default, without the parts that only validation needs. */
export type BundledContract = Omit<Contract, '$schema' | 'about'>;

/** The part of the contract that ingest needs at its start. */
export type BundledWebhook = Omit<Contract['webhook'], 'retries'> & {
  /** The result of `contractHash`. */
  readonly hash: string;
};
