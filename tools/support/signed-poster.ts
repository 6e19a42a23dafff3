import type { Contract } from '../../contract/schema/contract-schema.ts';
import { signRequest } from '../../contract/signature/sign.ts';
import { createPoster, type PostResult } from '../../local/sms-service/poster.ts';
import { shippedContract } from './contracts.ts';

/** What is posted to a webhook. */
export interface Delivery {
  /** The id that it is signed with. */
  readonly id: string;
  readonly body: Uint8Array;
  /** JSON by default. */
  readonly contentType?: string;
}

/** Signs and posts as the SMS service of a contract does. Its connections stay open until it is closed. */
export class SignedPoster {
  readonly #contract: Contract;
  readonly #poster = createPoster();

  constructor(contract: Contract = shippedContract) {
    this.#contract = contract;
  }

  /** Posts once. @param secret undefined: without a signature */
  post(url: string, delivery: Delivery, secret: string | undefined): Promise<PostResult> {
    const { id, body, contentType = 'application/json' } = delivery;
    const { signature } = this.#contract.webhook;
    const signed =
      secret === undefined ? {} : signRequest(signature, { body, id, now: Date.now(), url }, secret);
    return this.#poster.post(url, { ...signed, 'content-type': contentType }, body);
  }

  close(): void {
    this.#poster.close();
  }
}
