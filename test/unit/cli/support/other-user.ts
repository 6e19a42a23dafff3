import { lchownSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';

/** Makes a file one of another user, until the test or its part ends. Only the administrator can give files away; others play another user. */
export function playAnotherUser(path: string): () => void {
  const uid = process.getuid?.() ?? 0;
  const other = uid === 0 ? 12_345 : uid + 1;
  if (uid === 0) lchownSync(path, other, other);
  else vi.spyOn(process, 'getuid').mockReturnValue(other);
  const stop = () => void vi.restoreAllMocks();
  onTestFinished(stop);
  return stop;
}
