import { createCipheriv, createDecipheriv, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import {
  beforeEncoded,
  everyNumberLike,
  maskNumbersOf,
  maskRecipient,
  numberLike,
} from '../../../contract/phone/mask.ts';

/** The end of an id that the pipeline makes of a hash: alone, of a source, a conversation, parts or an import, or with a time of receipt. */
export const hashAtEnd = /(?<=^|[/:~])[\w-]{43}(?:\.[\da-z]+)?$/;

/**
 * Returns the beginning of an id that shows nothing of a number: the whole id, unless it has a number of its entry, as it is or encoded, or is a
 * hash of content with the number. Numbers can be tried until one of them has this hash.
 *
 * @param phones the numbers of the entry
 */
export function visiblePart(id: string, phones: readonly string[]): string {
  const shown = withoutEncoded(id);
  const [characters, masked] = [[...shown], [...maskNumbersOf(maskRecipient(shown), phones)]];
  const end = characters.findIndex((character, index) => character !== masked[index]);
  return end === -1 ? shown : characters.slice(0, end).join('');
}

/**
 * Returns the beginning of the id of a bulk send that shows nothing of a number. It is the same wherever it is shown, also where no number of its
 * messages is known. So ten to fifteen digits count as a number, which are those of E.164.
 */
export function visiblePartOfSend(id: string): string {
  const shown = visiblePart(id, []);
  const searched = shown.replace(hexadecimal, (found) => 'x'.repeat(found.length));
  const found = [...searched.matchAll(everyNumberLike)].find(([run]) =>
    [run.replace(/\P{N}/gu, ''), ...run.split(/\P{N}+/u)].some(({ length }) => length >= 10 && length <= 15),
  );
  return shown.slice(0, found?.index);
}

/** A UUID, or an id of at least 16 hexadecimal digits, which has a letter among them. */
const hexadecimal =
  /(?<![\dA-Za-z])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:[A-Z]{2})?(?=\d*[a-f])[\da-f]{16,})(?![\dA-Za-z])/g;

/** Returns the beginning of an id that shows nothing of a number, whatever the numbers of its entry are. */
export function surelyVisiblePart(id: string): string {
  const shown = withoutEncoded(id);
  const end = shown.search(numberLike);
  return end === -1 ? shown : shown.slice(0, end);
}

function withoutEncoded(id: string): string {
  return beforeEncoded(id.replace(hashAtEnd, ''));
}

/**
 * Encrypts ids from which a number can be found: those that contain it, and hashes of content that has it. A user who may not see numbers gets the
 * encrypted form, which is always the same, and may ask with it. Without the key the number cannot be found by trying.
 */
export interface IdMask {
  mask(id: string): string;
  /**
   * Returns the id behind a masked one, which may have its source or kind before it. What the key did not encrypt stays as it is.
   *
   * @param onOpened gets the id alone
   */
  unmask(text: string, onOpened?: (id: string) => void): string;
  /** Masks the position of a page. No masked id is a masked position, because some ids are chosen by people, who could choose a position. */
  maskPosition(cursor: string): string;
  /** Returns the position behind a masked one. Any other text stays as it is. */
  unmaskPosition(text: string): string;
}

/** The bytes of a key: 32 that authenticate, and 32 that encrypt. */
export const idMaskKeyBytes = 64;

/** Masked ids begin with this. */
const prefix = 'masked-id.';

const maskedIdAtEnd = /(?<=^|[/~])masked-id\.([\w-]{22,})$/;

const maskedPosition = /^masked-id\.([\w-]{22,})$/;

/** What is masked. Each kind has tags of its own. */
type Kind = 'id' | 'position';

const tagBytes = 16;

/**
 * The tag authenticates the id and is the start of the counter that encrypts it, as in SIV (RFC 5297), which Node.js does not have. So equal ids,
 * and only they, have equal forms.
 */
export function createIdMask(key: Buffer): IdMask {
  if (key.length !== idMaskKeyBytes) throw new Error('the key of masked ids has another length');
  const tagKey = createSecretKey(key.subarray(0, 32));
  const cipherKey = createSecretKey(key.subarray(32));
  const tagOf = (kind: Kind, text: Buffer) =>
    createHmac('sha256', tagKey).update(kind).update(text).digest().subarray(0, tagBytes);

  function close(kind: Kind, text: string): string {
    const bytes = Buffer.from(text);
    const tag = tagOf(kind, bytes);
    const cipher = createCipheriv('aes-256-ctr', cipherKey, tag);
    return prefix + Buffer.concat([tag, cipher.update(bytes), cipher.final()]).toString('base64url');
  }

  function open(kind: Kind, encoded: string): string | undefined {
    const bytes = Buffer.from(encoded, 'base64url');
    const tag = bytes.subarray(0, tagBytes);
    const cipher = createDecipheriv('aes-256-ctr', cipherKey, tag);
    const text = Buffer.concat([cipher.update(bytes.subarray(tagBytes)), cipher.final()]);
    return timingSafeEqual(tagOf(kind, text), tag) ? text.toString() : undefined;
  }

  return {
    mask: (id) => close('id', id),
    unmask: (text, onOpened) =>
      text.replace(maskedIdAtEnd, (found, encoded: string) => {
        const id = open('id', encoded);
        if (id !== undefined) onOpened?.(id);
        return id ?? found;
      }),
    maskPosition: (cursor) => close('position', cursor),
    unmaskPosition: (text) =>
      text.replace(maskedPosition, (found, encoded: string) => open('position', encoded) ?? found),
  };
}
