import { useMemo } from 'react';
import { moneyText, percentText, waitText } from '../rules/rates.ts';
import { usePreferences } from './preferences.tsx';

/** Returns functions that write numbers in the viewer's language. */
export function useFormats() {
  const { language } = usePreferences();
  return useMemo(
    () => ({
      count: (value: number) => value.toLocaleString(language),
      /** A share from 0 to 1; a dash for none. */
      percent: (share: number | undefined) => (share === undefined ? '–' : percentText(share, language)),
      /** How many times as much something is: one decimal below ten. */
      multiple: (times: number) =>
        times.toLocaleString(language, { maximumFractionDigits: times < 10 ? 1 : 0 }),
      /** A share from 0 to 1 without decimals. */
      wholePercent: (share: number) => share.toLocaleString(language, { style: 'percent' }),
      /** An amount, such as that of a part of a cent. @param currency ISO 4217 */
      money: (amount: string, currency: string) => moneyText(amount, currency, language),
      /** Milliseconds. */
      wait: (ms: number) => waitText(ms, language),
    }),
    [language],
  );
}
