import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { Language } from '../rules/time-text.ts';
import type { Words } from '../words/english.ts';
import { firstLanguage, loadWords, wordsOf } from './catalogues.ts';
import { store, stored } from './stored.ts';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

export const zones = ['local', 'utc'] as const;
type Zone = (typeof zones)[number];

interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
  readonly zone: Zone;
  /** The zone as formats take it; undefined for that of the browser. */
  readonly timeZone: 'UTC' | undefined;
  /** Whether the key "/" goes to the search. WCAG 2.1.4: a shortcut of one character can be turned off. It holds until the page is closed. */
  readonly hasSlash: boolean;
  readonly setSlash: (hasSlash: boolean) => void;
  readonly setTheme: (theme: Theme) => void;
  readonly setLanguage: (language: Language) => void;
  readonly setZone: (zone: Zone) => void;
}

const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (preferences === undefined) throw new Error('usePreferences needs PreferencesProvider.');
  return preferences;
}

/** Returns the texts in the viewer's language. */
export const useWords = (): Words => wordsOf(usePreferences().language);

function firstTheme(): Theme {
  const theme = stored('theme');
  return themes.find((known) => known === theme) ?? 'system';
}

/** An address with a zone is one that a viewer of that zone shared: its times are those that they talk about. */
function firstZone(): Zone {
  const zone = new URLSearchParams(window.location.search).get('zone') ?? stored('zone');
  return zones.find((known) => known === zone) ?? 'local';
}

/** Keeps theme, language and time zone, the only things that the console keeps in the browser. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [theme, setTheme] = useState(firstTheme);
  const [language, setLanguage] = useState(firstLanguage);
  const [zone, setZone] = useState(firstZone);
  const [hasSlash, setSlash] = useState(true);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const preferences = useMemo<Preferences>(
    () => ({
      theme,
      language,
      zone,
      timeZone: zone === 'utc' ? 'UTC' : undefined,
      hasSlash,
      setSlash,
      setTheme: (next) => {
        store('theme', next);
        setTheme(next);
      },
      setLanguage: (next) => {
        const show = () => {
          store('language', next);
          setLanguage(next);
        };
        // Without a connection the language stays.
        loadWords(next).then(show, () => {});
      },
      setZone: (next) => {
        store('zone', next);
        setZone(next);
      },
    }),
    [theme, language, zone, hasSlash],
  );
  return (
    <PreferencesContext value={preferences}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </PreferencesContext>
  );
}
