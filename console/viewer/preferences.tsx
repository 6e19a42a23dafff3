import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { Language } from '../rules/time-text.ts';
import { english, type Words } from '../words/english.ts';
import { portuguese } from '../words/portuguese.ts';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const catalogues: Readonly<Record<Language, Words>> = { en: english, 'pt-BR': portuguese };
export const languages = Object.keys(catalogues) as readonly Language[];
export const languageName = (language: Language): string => catalogues[language].name;

interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
  /** Whether the key "/" goes to the search. WCAG 2.1.4: a shortcut of one character can be turned off. It holds until the page is closed. */
  readonly hasSlash: boolean;
  readonly setSlash: (hasSlash: boolean) => void;
  readonly setTheme: (theme: Theme) => void;
  readonly setLanguage: (language: Language) => void;
}

const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (preferences === undefined) throw new Error('usePreferences needs PreferencesProvider.');
  return preferences;
}

/** Returns the texts in the viewer's language. */
export const useWords = (): Words => catalogues[usePreferences().language];

/** A browser may forbid storage. The preference then holds until the page is closed. */
function stored(key: 'theme' | 'language'): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: 'theme' | 'language', value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The preference holds until the page is closed.
  }
}

function firstTheme(): Theme {
  const theme = stored('theme');
  return themes.find((known) => known === theme) ?? 'system';
}

function firstLanguage(): Language {
  const language = stored('language') ?? navigator.language;
  return language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

/** Keeps theme and language, the only things that the console keeps in the browser. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [theme, setTheme] = useState(firstTheme);
  const [language, setLanguage] = useState(firstLanguage);
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
      hasSlash,
      setSlash,
      setTheme: (next) => {
        store('theme', next);
        setTheme(next);
      },
      setLanguage: (next) => {
        store('language', next);
        setLanguage(next);
      },
    }),
    [theme, language, hasSlash],
  );
  return (
    <PreferencesContext value={preferences}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </PreferencesContext>
  );
}
