import { isDeeperThan, isObject, maxBodyDepth, parseExactly } from '../../../contract/text/json.ts';
import { percentEncode } from '../../../contract/text/percent-encode.ts';

export const redacted = '[redacted]';

/** A word of a secret in a name, in lower case and without separators. */
const secretWord =
  /secret|token|password|passwd|passphrase|pwd|credential|authorization|jwt|(?:api|private|signing|signature|shared|auth|access|encryption|hmac|webhook)key/;

/** Names with such a word that hold a flag, a kind, or a place in a list. */
const otherNames: ReadonlySet<string> = new Set([
  'rotatesecret',
  'hassecret',
  'tokentype',
  'passwordreset',
  'pagetoken',
  'nextpagetoken',
  'previouspagetoken',
  'nexttoken',
  'continuationtoken',
]);

/** Returns whether a field of JSON is called as a secret is, such as `client_secret`, `apiKey` or `signing-key`. */
function isSecretField(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretWord.test(plain) && !otherNames.has(plain);
}

/** Returns a value of JSON without its secrets. @param onRemoved is called with the place of each, such as `data[0].client_secret` */
export function withoutSecrets(
  value: unknown,
  onRemoved: (place: string) => void = () => {},
  place = '',
): unknown {
  if (Array.isArray(value))
    return value.map((one, index) => withoutSecrets(one, onRemoved, `${place}[${index}]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = place === '' ? name : `${place}.${name}`;
      if (!isSecretField(name)) return [name, withoutSecrets(inner, onRemoved, own)];
      onRemoved(own);
      return [name, redacted];
    }),
  );
}

/** Fields of a JSON body with a text. The body may be cut off. */
const textField = /("((?:[^"\\]|\\.){1,64})"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** Removes secrets from texts. `learn` adds a secret. @param secrets the first ones */
export function createRedactor(...secrets: readonly string[]) {
  const forms = new Set<string>();
  function learn(secret: string): void {
    if (secret === '') return;
    // A service that echoes a value may escape it for JSON or for a URL.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), percentEncode(secret)]) forms.add(form);
  }
  for (const secret of secrets) learn(secret);
  return {
    learn,
    apply(text: string): string {
      // One value may be a part of another, so the longest comes first.
      const values = [...forms].sort((one, other) => other.length - one.length);
      const rest = values.reduce((part, value) => part.replaceAll(value, redacted), text);
      const json = parseExactly(rest);
      if (typeof json === 'object' && json !== null && !isDeeperThan(maxBodyDepth, json))
        return JSON.stringify(withoutSecrets(json));
      return rest.replace(textField, (field, start: string, name: string) =>
        isSecretField(name) ? `${start}"${redacted}"` : field,
      );
    },
  };
}
