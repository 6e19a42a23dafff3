import { createCipheriv, createDecipheriv, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { maskNumbersOf, numberLike } from '../../../contract/phone/mask.ts';

/** The end of an id that the pipeline makes of a hash: alone, of a source, a conversation, parts or an import, or with a time of receipt. */
const hashAtEnd = /(?<=^|[/:~])[\w-]{43}(?:\.[\da-z]+)?$/;

/**
 * Returns the beginning of an id that shows nothing of a number: the whole id, unless it has a number of its entry, or is a hash of content with
 * the number. Numbers can be tried until one of them has this hash.
 *
 * @param phones the numbers of the entry
 */
export function visiblePart(id: string, phones: readonly string[]): string {
  const withoutHash = id.replace(hashAtEnd, '');
  const masked = maskNumbersOf(withoutHash, phones);
  const end = [...withoutHash].findIndex((character, index) => character !== masked[index]);
  return end === -1 ? withoutHash : withoutHash.slice(0, end);
}

/** Returns the beginning of an id that shows nothing of a number, whatever the numbers of its entry are. */
export function surelyVisiblePart(id: string): string {
  const withoutHash = id.replace(hashAtEnd, '');
  const end = withoutHash.search(numberLike);
  return end === -1 ? withoutHash : withoutHash.slice(0, end);
}

/**
 * Encrypts ids from which a number can be found: those that contain it, and hashes of content that has it. A user who may not see numbers gets the
 * encrypted form, which is always the same, and may ask with it. Without the key the number cannot be found by trying.
 */
export interface IdMask {
  mask(id: string): string;
  /** Returns the id behind a masked one, which may have its source or kind before it. What the key did not encrypt stays as it is. */
  unmask(text: string): string;
}

/** The bytes of a key: 32 that authenticate, and 32 that encrypt. */
export const idMaskKeyBytes = 64;

/** Masked ids begin with this. */
const prefix = 'masked-id.';

const maskedIdAtEnd = /(?<=^|[/~])masked-id\.([\w-]{22,})$/;

const tagBytes = 16;

/**
 * The tag authenticates the id and is the start of the counter that encrypts it, as in SIV (RFC 5297), which Node.js does not have. So equal ids,
 * and only they, have equal forms.
 */
export function createIdMask(key: Buffer): IdMask {
  if (key.length !== idMaskKeyBytes) throw new Error('the key of masked ids has another length');
  const tagKey = createSecretKey(key.subarray(0, 32));
  const cipherKey = createSecretKey(key.subarray(32));
  const tagOf = (id: Buffer) => createHmac('sha256', tagKey).update(id).digest().subarray(0, tagBytes);

  function open(encoded: string): string | undefined {
    const bytes = Buffer.from(encoded, 'base64url');
    const tag = bytes.subarray(0, tagBytes);
    const cipher = createDecipheriv('aes-256-ctr', cipherKey, tag);
    const id = Buffer.concat([cipher.update(bytes.subarray(tagBytes)), cipher.final()]);
    return timingSafeEqual(tagOf(id), tag) ? id.toString() : undefined;
  }

  return {
    mask(id) {
      const bytes = Buffer.from(id);
      const tag = tagOf(bytes);
      const cipher = createCipheriv('aes-256-ctr', cipherKey, tag);
      return prefix + Buffer.concat([tag, cipher.update(bytes), cipher.final()]).toString('base64url');
    },
    unmask: (text) => text.replace(maskedIdAtEnd, (found, encoded: string) => open(encoded) ?? found),
  };
}
