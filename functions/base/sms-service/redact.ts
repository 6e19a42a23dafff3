import { isDeeperThan, isObject, maxBodyDepth, parseExactly } from '../../../contract/text/json.ts';
import { createSecretSearch } from './secret-search.ts';

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

/** Fields of a JSON body with a text. The body may be cut off. */
const textField = /("((?:[^"\\]|\\.){1,64})"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/**
 * Removes secrets. `learn` adds a secret, `apply` removes them from a text, and `clean` from a value of JSON.
 *
 * @param secrets the first ones
 */
export function createRedactor(...secrets: readonly string[]) {
  const known = new Set<string>();
  const learn = (secret: string): void => {
    if (secret !== '') known.add(secret);
  };
  for (const secret of secrets) learn(secret);

  const hider = () => createSecretSearch([...known], redacted);

  /**
   * Returns a value of JSON without its secrets: the known ones, and what fields hold that are called as a secret is.
   *
   * @param onRemoved is called with the place of each, such as `data[0].client_secret`
   */
  function clean(value: unknown, onRemoved: (place: string) => void = () => {}): unknown {
    const hide = hider();
    const cleaned = (inner: unknown, place: string): unknown => {
      if (typeof inner === 'string' || typeof inner === 'number') {
        const shown = hide(String(inner));
        if (shown === String(inner)) return inner;
        onRemoved(place);
        return shown;
      }
      if (Array.isArray(inner)) return inner.map((one, index) => cleaned(one, `${place}[${index}]`));
      if (!isObject(inner)) return inner;
      return Object.fromEntries(
        Object.entries(inner).map(([name, field]) => {
          const ownName = hide(name);
          const own = place === '' ? ownName : `${place}.${ownName}`;
          if (!isSecretField(name)) return [ownName, cleaned(field, own)];
          onRemoved(own);
          return [ownName, redacted];
        }),
      );
    };
    return cleaned(value, '');
  }

  return {
    learn,
    clean,
    apply(text: string): string {
      const rest = hider()(text);
      const json = parseExactly(rest);
      if (typeof json === 'object' && json !== null && !isDeeperThan(maxBodyDepth, json))
        return JSON.stringify(clean(json));
      return rest.replace(textField, (field, start: string, name: string) =>
        isSecretField(name) ? `${start}"${redacted}"` : field,
      );
    },
  };
}
