import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** Keys of AWS. */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Part of temporary keys. */
  readonly sessionToken?: string;
}

export interface SignedFetchSettings {
  /** The region of the API, such as `us-east-1`. */
  readonly region: string;
  /** Keys, or a credential provider of the AWS SDK, such as `fromNodeProviderChain()`. */
  readonly credentials: Keys | (() => Promise<Keys>);
  /** The service of AWS that answers. @default 'execute-api', which is that of the query API */
  readonly service?: string;
  /** Sends the signed requests. @default the global fetch */
  readonly fetch?: typeof fetch;
  /** Returns the time of a signature, in milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

/**
 * Wraps `fetch`: signs each request to the query API with AWS Signature Version 4, for the service `execute-api`.
 * A body is text. Path and query are percent-encoded as API Gateway reads them.
 */
export function createSignedFetch(settings: SignedFetchSettings): typeof fetch {
  const { region, credentials, service = 'execute-api', fetch: send = fetch, clock = Date.now } = settings;
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });

  return async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers, signal } = request;
    const body = request.body === null ? undefined : await request.text();
    const { origin, host, pathname, searchParams } = new URL(url);
    const path = pathname.split('/').map(encodeSegment).join('/');
    const signed = await signer.sign(
      {
        method,
        protocol: 'https:',
        hostname: host,
        path,
        query: Object.fromEntries(searchParams),
        headers: { host },
        body,
      },
      { signingDate: new Date(clock()) },
    );
    const { host: _host, ...signature } = signed.headers;
    const search = [...searchParams].map((pair) => pair.map(percentEncode).join('=')).join('&');
    return send(`${origin}${path}${search && `?${search}`}`, {
      method,
      headers: { ...Object.fromEntries(headers), ...signature },
      signal,
      ...(body === undefined ? {} : { body }),
    });
  };
}

/**
 * The parts of an id that are misread after API Gateway decoded the path: "%", "?", segments that are empty or dots, and an end like that of
 * another path, such as that of the messages of a send.
 */
const misreadAfterDecoding = /[%?]|(^|\/)\.{0,2}(\/|$)|\/messages(\.csv)?$/;

/** Percent-encodes a segment of a path again, twice if API Gateway would not hand it to the function unchanged. */
function encodeSegment(encoded: string): string {
  const id = decodeURIComponent(encoded);
  if (!misreadAfterDecoding.test(id)) return percentEncode(id);
  return percentEncode(percentEncode(id).replaceAll('.', '%2E'));
}

/** Percent-encodes everything but letters, digits and `-._~` (RFC 3986, section 2.3), as AWS Signature Version 4 wants it. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
