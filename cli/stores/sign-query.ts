import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '../../functions/runtime/basics.ts';

type Settings = ConstructorParameters<typeof SignatureV4>[0];

/** The caller's keys, or a function that returns them, such as a credential provider of the AWS SDK. */
export type Credentials = Settings['credentials'];

/** A request to an API with IAM authorization. */
interface UnsignedRequest {
  readonly method: 'GET' | 'HEAD';
  /** The host, with its port if it is not the default. */
  readonly host: string;
  /** The percent-encoded path. */
  readonly path: string;
  /** The parameters, not encoded. */
  readonly query: Readonly<Record<string, string>>;
}

/** Returns the headers that sign a request. */
export type SignRequest = (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;

/**
 * Signs requests to API Gateway with AWS Signature Version 4. The signed path is percent-encoded once more than the path of the
 * request, as for every service except S3: a "/" of an id is `%2F` in the request and `%252F` in the signed text.
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

/** SHA-256, or its HMAC with a key, in the interface that the signer requires. */
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
