import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '../../functions/runtime/clock.ts';

type Settings = ConstructorParameters<typeof SignatureV4>[0];

/** Who asks: keys, or a function that gives them, as the AWS SDK's credential providers do. */
export type Credentials = Settings['credentials'];

/** What is asked of an API that authorizes by IAM. */
interface UnsignedRequest {
  readonly method: 'GET' | 'HEAD';
  /** With its port, where that is not the usual one. */
  readonly host: string;
  /** Percent-encoded, as it goes over the wire. */
  readonly path: string;
  /** Not encoded. */
  readonly query: Readonly<Record<string, string>>;
}

/** The headers that sign a request. */
export type SignRequest = (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;

/**
 * Signs requests to API Gateway with AWS Signature Version 4. In what is signed the path is percent-encoded once more than on
 * the wire, as everywhere but in S3: a "/" of an id is `%2F` there, and `%252F` here.
 */
export function createSignRequest(region: string, credentials: Credentials, clock: Clock): SignRequest {
  const signer = new SignatureV4({
    service: 'execute-api',
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  return async ({ method, host, path, query }) => {
    const signed = await signer.sign(
      { method, protocol: 'https:', hostname: host, path, query: { ...query }, headers: { host } },
      { signingDate: new Date(clock()) },
    );
    const { host: _host, ...headers } = signed.headers;
    return headers;
  };
}

type Data = string | ArrayBuffer | ArrayBufferView;

/** SHA-256, or its HMAC where there is a key, in the shape that the signer asks for. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(key?: Data) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', viewOf(key));
  }

  update(data: Data): void {
    this.#hash.update(viewOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function viewOf(data: Data): string | Uint8Array {
  if (typeof data === 'string') return data;
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
