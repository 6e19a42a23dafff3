/** Takes out of texts what must not leave the process. */
export interface Redactor {
  /** Adds a value that is never to be shown. */
  learn(secret: string): void;
  apply(text: string): string;
}

const replacement = '[redacted]';

/** Fields of a JSON body whose text is never shown, known to us or not. */
const secretField = /("(?:secret|token|access_token|refresh_token)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** @param secrets values that are never to be shown, from the start */
export function createRedactor(...secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  function learn(secret: string): void {
    if (secret === '') return;
    // A service that echoes a value may escape it for JSON or for a URL.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      forms.add(form);
  }
  for (const secret of secrets) learn(secret);
  return {
    learn,
    apply(text) {
      // The longest first: one value may be a part of another.
      const values = [...forms].sort((one, other) => other.length - one.length);
      const known = values.reduce((rest, value) => rest.replaceAll(value, replacement), text);
      return known.replace(secretField, `$1"${replacement}"`);
    },
  };
}
