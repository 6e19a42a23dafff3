import { Token } from 'aws-cdk-lib';
import { hasUser } from '../../contract/schema/plain-url.ts';
import { construct } from '../options/option-kinds.ts';
import { shown } from '../options/shown.ts';

/** The parts of an API destination that are checked. */
interface Destination {
  readonly url: unknown;
  readonly keyHeader: unknown;
  readonly rateLimitPerSecond: unknown;
  readonly event?: unknown;
}

/** The name of a field of HTTP (RFC 9110, section 5.1), as EventBridge limits it ("CreateConnection", API reference, `ApiKeyName`). */
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,512}$/;

const maxUrlLength = 2048;

const input = construct('RuleTargetInput.fromObject({ ... })', 'bind');

/** "Create an API destination in Amazon EventBridge", EventBridge user guide. */
const maxRate = 300;

/** Returns a line for each prop that EventBridge would refuse at deployment. The URL is not shown, because it may hold a key. */
export function problemsWithDestination({
  url,
  keyHeader,
  rateLimitPerSecond,
  event,
}: Destination): readonly string[] {
  const rate = rateLimitPerSecond;
  return [
    ...(isKnown(url) && !isHttps(url)
      ? [
          `url: found ${shownUrl(url)}, expected an https URL of at most ${maxUrlLength} characters, without blanks, user name and password: keySecret holds the key`,
        ]
      : []),
    ...(isKnown(keyHeader) && !(typeof keyHeader === 'string' && fieldName.test(keyHeader))
      ? [
          `keyHeader: found ${shown(keyHeader)}, expected the name of a header, for example x-api-key: letters, digits and hyphens, without blanks and colons`,
        ]
      : []),
    ...(isKnown(rate) && !(Number.isInteger(rate) && Number(rate) >= 1 && Number(rate) <= maxRate)
      ? [`rateLimitPerSecond: found ${shown(rate)}, expected a whole number of calls from 1 to ${maxRate}`]
      : []),
    ...(event === undefined || input.fits(event)
      ? []
      : [`event: found ${shown(event)}, expected ${input.expected}`]),
  ];
}

function isKnown(value: unknown): boolean {
  return !Token.isUnresolved(value);
}

function isHttps(url: unknown): boolean {
  return (
    typeof url === 'string' &&
    url.length <= maxUrlLength &&
    URL.canParse(url) &&
    new URL(url).protocol === 'https:' &&
    !hasUser(url) &&
    !/\s/.test(url)
  );
}

function shownUrl(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url)) return shown(url);
  const { protocol } = new URL(url);
  if (protocol !== 'https:') return `one that begins with ${protocol}`;
  return url.length > maxUrlLength
    ? `${url.length} characters`
    : 'one with a blank, a user name or a password';
}
