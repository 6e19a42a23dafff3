import {
  constants,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  publicDecrypt,
  verify,
} from 'node:crypto';
import type {
  HashSignatureContract,
  HmacSignatureContract,
  PublicKeySignatureContract,
} from '../../contract/schema/contract-schema.ts';
import { readPublicKey, signingKey } from '../../contract/signature/keys.ts';
import type { SignatureSlot } from './signature-slots.ts';

type SecretRule = HmacSignatureContract['secret'];

interface CandidateKey {
  readonly rule: SecretRule;
  readonly bytes: Uint8Array;
}

/** Decodes the secrets in every way, and lists each key once, with the simplest rule that gives it. */
export function candidateKeys(all: readonly string[]): readonly CandidateKey[] {
  const secrets = all.filter((secret) => !isPublicKey(secret));
  const prefixes = new Set(['', ...secrets.flatMap(prefixesOf)]);
  const rules = [...prefixes].flatMap((prefix) =>
    (['utf8', 'base64', 'hex'] as const).map((encoding) => ({ encoding, prefix })),
  );
  const keys = new Map<string, CandidateKey>();
  for (const rule of rules)
    for (const secret of secrets) {
      const bytes = signingKey(rule, secret);
      const name = bytes && Buffer.from(bytes).toString('hex');
      if (bytes !== undefined && name !== undefined && !keys.has(name)) keys.set(name, { rule, bytes });
    }
  return [...keys.values()];
}

/** Lists the prefixes that a secret may have, such as "whsec_", or "sk_" and "sk_live_". */
function prefixesOf(secret: string): readonly string[] {
  const short = /^[A-Za-z][A-Za-z0-9]{0,15}_(?=.)/.exec(secret)?.[0];
  const long = /^(?:[A-Za-z][A-Za-z0-9]{0,15}_){2}(?=.)/.exec(secret)?.[0];
  return [short, long].filter((prefix) => prefix !== undefined);
}

/** Reports whether a secret can only be a public key. A text of 32 bytes may also be a shared secret. */
function isPublicKey(secret: string): boolean {
  return secret.length > 64 && readPublicKey(secret) !== undefined;
}

/** A place whose signature matches, and the texts around the content, which may hold the secret. */
interface Fitting {
  readonly slot: SignatureSlot;
  readonly before: string;
  readonly after: string;
}

/** One way to check content against the signatures of one capture: an algorithm with a key. */
export interface Probe {
  /** The algorithm and key, as the scheme holds them. */
  readonly fields:
    | Pick<HmacSignatureContract, 'scheme' | 'algorithm' | 'secret'>
    | Pick<HashSignatureContract, 'scheme' | 'algorithm'>
    | Pick<PublicKeySignatureContract, 'scheme' | 'algorithm'>;
  /** The estimated cost of a check, in microseconds. */
  readonly cost: number;
  /** Whether only likely content is worth the check. */
  readonly isUnusual?: boolean;
  /**
   * Lists the places whose signature matches the content.
   *
   * @param content one character a byte
   * @param separator the text between its values
   */
  readonly fitting: (content: string, separator: string) => readonly Fitting[];
}

type Signatures = ReadonlyMap<string, readonly SignatureSlot[]>;

const hmacLengths = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;
/** The length of a hash's DigestInfo, and of the hash at its end (RFC 8017, section 9.2). */
const rsaHashes = { sha256: [51, 32], sha1: [35, 20], sha512: [83, 64], sha384: [67, 48] } as const;
const none: readonly Fitting[] = [];

const alone = (slots: readonly SignatureSlot[] | undefined): readonly Fitting[] =>
  slots?.map((slot) => ({ slot, before: '', after: '' })) ?? none;

/** Lists all ways to check the signatures of a capture. @param index the capture's place in the list */
export function probesOf(
  index: number,
  slots: readonly SignatureSlot[],
  keys: readonly CandidateKey[],
  secrets: readonly string[],
): readonly Probe[] {
  const signatures = Map.groupBy(
    slots.flatMap((slot) => (slot.signatures.get(index) ?? []).map((bytes) => [bytes, slot] as const)),
    ([bytes]) => bytes,
  );
  const bySignature: Signatures = new Map(
    [...signatures].map(([bytes, pairs]) => [bytes, pairs.map(([, slot]) => slot)]),
  );
  const publicKeys = secrets.flatMap((secret) => readPublicKey(secret) ?? []);
  return [
    ...hmacProbes(bySignature, keys),
    ...secrets.filter((secret) => !isPublicKey(secret)).flatMap((secret) => hashProbes(bySignature, secret)),
    ...publicKeys.flatMap((key) => publicKeyProbes(bySignature, key)),
  ];
}

function hmacProbes(signatures: Signatures, keys: readonly CandidateKey[]): readonly Probe[] {
  const lengths = new Set([...signatures.keys()].map(({ length }) => length));
  return (['sha256', 'sha1', 'sha512', 'sha384', 'md5'] as const).flatMap((algorithm) => {
    if (!lengths.has(hmacLengths[algorithm])) return [];
    return keys.map(({ rule, bytes }): Probe => {
      const key = createSecretKey(bytes);
      return {
        fields: { scheme: 'hmac', algorithm, secret: rule },
        cost: hmacLengths[algorithm] > 32 ? 5 : 3.5,
        fitting: (content) =>
          alone(signatures.get(createHmac(algorithm, key).update(content, 'latin1').digest('binary'))),
      };
    });
  });
}

/** Texts that stand between the content and the secret of a plain hash, in addition to none and the separator. */
const secretNames = ['&key=', '&secret='];

/** Checks plain hashes of a text with the secret in front, behind or on both sides. */
function hashProbes(signatures: Signatures, secret: string): readonly Probe[] {
  const lengths = new Set([...signatures.keys()].map(({ length }) => length));
  const bytes = Buffer.from(secret).toString('latin1');
  return (['md5', 'sha256', 'sha1', 'sha512', 'sha384'] as const).flatMap((algorithm) => {
    if (!lengths.has(hmacLengths[algorithm])) return [];
    const fitting: Probe['fitting'] = (content, separator) => {
      const joints = [...new Set(['', separator])];
      const around = [
        ...joints.flatMap((joint) => [
          ['', `${joint}{secret}`],
          [`{secret}${joint}`, ''],
        ]),
        ['{secret}', '{secret}'],
        ...secretNames.map((joint) => ['', `${joint}{secret}`]),
      ];
      return around.flatMap(([before = '', after = '']) => {
        const [start, end] = [
          before.replace('{secret}', () => bytes),
          after.replace('{secret}', () => bytes),
        ];
        const digest = hash(algorithm, Buffer.from(start + content + end, 'latin1'), 'binary');
        return signatures.get(digest)?.map((slot) => ({ slot, before, after })) ?? none;
      });
    };
    return { fields: { scheme: 'hash', algorithm }, cost: 12, isUnusual: true, fitting };
  });
}

function publicKeyProbes(signatures: Signatures, key: KeyObject): readonly Probe[] {
  if (key.asymmetricKeyType === 'rsa') return rsaProbes(signatures, key);
  if (key.asymmetricKeyType === 'ed25519') return keyProbes(signatures, key, 'ed25519', null);
  if (key.asymmetricKeyType !== 'ec') return [];
  // A service hashes with the strength of its curve.
  const bits = { secp384r1: '384', secp521r1: '512' }[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? '256';
  const algorithm = (['ecdsa-sha256', 'ecdsa-sha384', 'ecdsa-sha512'] as const).find((name) =>
    name.endsWith(bits),
  );
  return keyProbes(signatures, key, algorithm ?? 'ecdsa-sha256', `sha${bits}`);
}

function keyProbes(
  signatures: Signatures,
  key: KeyObject,
  algorithm: PublicKeySignatureContract['algorithm'],
  digest: string | null,
): readonly Probe[] {
  const plausible = [...signatures].filter(([bytes]) =>
    digest === null ? bytes.length === 64 : bytes.charCodeAt(0) === 0x30,
  );
  return plausible.map(([bytes, slots]): Probe => {
    const signature = Buffer.from(bytes, 'latin1');
    return {
      fields: { scheme: 'public-key', algorithm },
      cost: digest === null ? 130 : 90,
      fitting: (content) =>
        verify(digest, Buffer.from(content, 'latin1'), key, signature) ? alone(slots) : none,
    };
  });
}

/** Decrypts RSA signatures to the hash that they cover. Checking content then costs no more than hashing it. */
function rsaProbes(signatures: Signatures, key: KeyObject): readonly Probe[] {
  const opened = [...signatures].flatMap(([bytes, slots]) => {
    const info = openSignature(Buffer.from(bytes, 'latin1'), key);
    return info === undefined ? [] : [{ info, slots }];
  });
  return (['sha256', 'sha1', 'sha512', 'sha384'] as const).flatMap((algorithm) => {
    const [length, hashLength] = rsaHashes[algorithm];
    const byHash = new Map(
      opened
        .filter(({ info }) => info.length === length)
        .map(({ info, slots }) => [info.toString('latin1', length - hashLength), slots]),
    );
    if (byHash.size === 0) return [];
    return {
      fields: { scheme: 'public-key', algorithm: `rsa-${algorithm}` },
      cost: 2,
      fitting: (content) => alone(byHash.get(hash(algorithm, Buffer.from(content, 'latin1'), 'binary'))),
    } satisfies Probe;
  });
}

function openSignature(bytes: Buffer, key: KeyObject): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes);
  } catch {
    // The signature was not made with this key.
    return undefined;
  }
}
