import { createHash } from 'node:crypto';

/** Always the same for the same text. */
export function uuid(text: string): string {
  const hex = digest(text);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/** 64 hexadecimal digits. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
