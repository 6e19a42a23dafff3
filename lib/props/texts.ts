import { Token } from 'aws-cdk-lib';
import * as z from 'zod';

/** What a text may be. */
export interface TextRule {
  readonly schema: z.ZodType<string, string>;
  /** Says it in messages, after "expected". */
  readonly expected: string;
  /** True where a wrong text may hold a key, which no message shows. */
  readonly isPrivate?: boolean;
}

/** Limits a capture that an operator forgets. */
const maxCaptureMs = 7 * 24 * 3_600_000;

/** A part of a host's name, and of a bucket's. */
export const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lastLabel = '[a-z](?:[a-z0-9-]{0,61}[a-z0-9])';

/** The rules of every text that a pipeline can be given, by the construct's props and by the settings of the stand-alone app. */
export const texts = {
  serviceBaseUrl: {
    schema: z.url({ protocol: /^https?$/ }).max(512),
    expected: "the service's http(s) URL, at most 512 characters",
    isPrivate: true,
  },
  captureUntil: {
    schema: z.iso.datetime().refine((until) => Date.parse(until) - Date.now() <= maxCaptureMs),
    expected: 'a time in UTC at most 7 days ahead, for example 2026-01-15T12:00:00Z',
  },
  source: {
    schema: z.union([z.cidrv4(), z.cidrv6()]),
    expected: 'ranges of IP addresses as CIDR, for example 192.0.2.0/24',
  },
  account: {
    schema: z.string().regex(/^\d{12}$/),
    expected: 'ids of AWS accounts as text, 12 digits each',
  },
  contactList: { schema: z.guid(), expected: 'ids of contact lists at the SMS service, UUIDs' },
  // API Gateway accepts lower case only; a name with `*` is not an address to send to.
  domainName: {
    schema: z.string().regex(new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+${lastLabel}$`)),
    expected: 'a host name in lower case, for example sms.example.com, without https:// and path',
  },
  issuer: {
    schema: z
      .url({ protocol: /^https$/ })
      .max(512)
      .refine((url) => !/[?#]/.test(url)),
    expected: 'the issuer of your OpenID Connect provider, an https URL without query',
  },
  clientId: {
    schema: z.string().regex(/^[\x21-\x7e]{1,255}$/),
    expected: "the id of the console's client at the provider, at most 255 characters",
  },
  groupsClaim: {
    schema: z.string().regex(/^[\w:./-]{1,255}$/),
    expected: 'the name of a claim, at most 255 characters',
  },
  objectVersion: {
    schema: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
    expected: 'the version id that S3 gave the trust store, at most 64 characters',
  },
  // CloudWatch Logs allows no colon in the namespace of a metric filter.
  metricsNamespace: {
    schema: z.string().regex(/^(?!AWS\/)(?! *$)[\w.\-/# ]{1,255}$/),
    expected:
      'letters, digits, spaces and . - _ / #, at most 255, not beginning with AWS/, which CloudWatch keeps for itself',
  },
} as const satisfies Readonly<Record<string, TextRule>>;

/** Returns whether a text breaks a rule. One that is known at deployment only is not checked. */
export function isWrong(text: string, { schema }: TextRule): boolean {
  return !Token.isUnresolved(text) && !schema.safeParse(text).success;
}
