import type { Language } from '../rules/time-text.ts';
import type { Words } from '../words/english.ts';
import { stored } from './stored.ts';

const names: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português (Brasil)' };
export const languages = Object.keys(names) as readonly Language[];
export const languageName = (language: Language): string => names[language];

export function firstLanguage(): Language {
  const language = stored('language') ?? navigator.language;
  return language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

const catalogues = new Map<Language, Words>();

/** Loads the texts of a language. A first view loads those of its own language only. */
export async function loadWords(language: Language): Promise<void> {
  if (catalogues.has(language)) return;
  catalogues.set(
    language,
    language === 'en'
      ? (await import('../words/english.ts')).english
      : (await import('../words/portuguese.ts')).portuguese,
  );
}

/** Returns the texts of a language that is loaded. */
export function wordsOf(language: Language): Words {
  const words = catalogues.get(language);
  if (words === undefined) throw new Error('The texts of this language are not loaded.');
  return words;
}
