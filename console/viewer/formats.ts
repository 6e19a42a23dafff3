import { useMemo } from 'react';
import { percentText, waitText } from '../rules/rates.ts';
import { usePreferences } from './preferences.tsx';

/** Returns functions that write numbers in the viewer's language. */
export function useFormats() {
  const { language } = usePreferences();
  return useMemo(
    () => ({
      count: (value: number) => value.toLocaleString(language),
      /** A share from 0 to 1; a dash for none. */
      percent: (share: number | undefined) => (share === undefined ? '–' : percentText(share, language)),
      /** A share from 0 to 1 without decimals. */
      wholePercent: (share: number) => share.toLocaleString(language, { style: 'percent' }),
      /** Milliseconds. */
      wait: (ms: number) => waitText(ms, language),
    }),
    [language],
  );
}
