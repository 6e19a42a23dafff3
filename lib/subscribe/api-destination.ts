import { Annotations, Stack, Token } from 'aws-cdk-lib';
import { CfnSecret, type ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { hasUser } from '../../contract/schema/plain-url.ts';
import { construct } from '../options/option-kinds.ts';
import { isPlain, shown } from '../options/shown.ts';

/** The parts of an API destination that are checked. */
interface Destination {
  readonly url: unknown;
  readonly keyHeader: unknown;
  readonly keySecret: ISecret;
  readonly keyField?: unknown;
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
  keySecret,
  keyField,
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
    ...problemsWithField(keySecret, keyField),
    ...(isKnown(rate) && !(Number.isInteger(rate) && Number(rate) >= 1 && Number(rate) <= maxRate)
      ? [`rateLimitPerSecond: found ${shown(rate)}, expected a whole number of calls from 1 to ${maxRate}`]
      : []),
    ...(event === undefined || input.fits(event)
      ? []
      : [`event: found ${shown(event)}, expected ${input.expected}`]),
  ];
}

/** Returns a line if a secret of the app is a JSON object without the field, or none with a field. */
function problemsWithField(keySecret: ISecret, keyField: unknown): readonly string[] {
  const fields = fieldsOf(keySecret);
  if (fields === undefined || !isKnown(keyField)) return [];
  const { path } = keySecret.node;
  if (fields === 'none')
    return keyField === undefined
      ? []
      : [
          `keyField: found ${shown(keyField)}, expected nothing, because ${path} is no JSON object: the deployment would fail`,
        ];
  const names = fields.join(', ');
  if (keyField === undefined)
    return [
      `keyField: found nothing, expected the field that holds the key, one of ${names}: ${path} is a JSON object, and the header would have all of it`,
    ];
  return fields.some((field) => field === keyField)
    ? []
    : [`keyField: found ${shown(keyField)}, expected a field of ${path}, one of ${names}`];
}

/** Returns the fields of a secret of the app. Undefined if they are not known at synth: of an imported secret, or of a value of the deployment. */
function fieldsOf(secret: ISecret): readonly string[] | 'none' | undefined {
  const { defaultChild } = secret.node;
  if (!(defaultChild instanceof CfnSecret)) return undefined;
  const { generateSecretString, secretString } = defaultChild;
  const stack = Stack.of(secret);
  const generated: { readonly secretStringTemplate?: unknown; readonly generateStringKey?: unknown } = Object(
    stack.resolve(generateSecretString),
  );
  const text: unknown = generated.secretStringTemplate ?? stack.resolve(secretString);
  // The value of a generated secret is often replaced after the deployment.
  if (text === undefined) return undefined;
  const names = typeof text === 'string' ? namesIn(text) : undefined;
  const { generateStringKey: key } = generated;
  return Array.isArray(names) && typeof key === 'string' ? [...names, key] : names;
}

/** Returns the names of a JSON object. */
function namesIn(text: string): readonly string[] | 'none' {
  try {
    const value: unknown = JSON.parse(text);
    return isPlain(value) ? Object.keys(value) : 'none';
  } catch {
    return 'none';
  }
}

/** Warns of an asterisk in the path, for which EventBridge expects a value ("HttpParameters", EventBridge API reference). */
export function warnOfPathParameter(scope: Construct, url: string): void {
  if (Token.isUnresolved(url) || !new URL(url).pathname.includes('*')) return;
  Annotations.of(scope).addWarningV2(
    'sms-pipeline:path-parameter',
    'url: the path has an asterisk, which stands for a parameter of EventBridge that the target has no value for: the calls would not reach the address that you mean. Write the path out, or use new targets.ApiDestination(destination, { pathParameterValues }) of aws-cdk-lib/aws-events-targets.',
  );
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
