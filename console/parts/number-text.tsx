import { useSyncExternalStore } from 'react';
import { commonNumberText } from '../rules/number-text.ts';

let format: ((number: string) => string) | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1 && format === undefined)
    void import('../rules/any-number-text.ts').then(
      ({ anyNumberText }) => {
        format = anyNumberText;
        for (const notify of listeners) notify();
      },
      // A number can be read without groups.
      () => {},
    );
  return () => listeners.delete(listener);
}

/** A number with its digits in groups. A masked number, and other text, is shown as it is. */
export function NumberText({ number }: { readonly number: string }) {
  return commonNumberText(number) ?? <AnyNumberText number={number} />;
}

function AnyNumberText({ number }: { readonly number: string }) {
  const grouped = useSyncExternalStore(subscribe, () => format);
  return grouped?.(number) ?? number;
}
