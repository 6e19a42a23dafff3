import { useCallback, useMemo } from 'react';
import { usePreferences, useWords } from '../viewer/preferences.tsx';

/** Returns a function that names a country in the viewer's language. Its argument is ISO 3166-1 alpha-2, or ZZ for none. */
export function useCountryName(): (country: string) => string {
  const { overview } = useWords();
  const { language } = usePreferences();
  const names = useMemo(() => new Intl.DisplayNames(language, { type: 'region' }), [language]);
  return useCallback(
    (country) => (country === 'ZZ' ? overview.unknownCountry : (names.of(country) ?? country)),
    [names, overview],
  );
}
