/** What a reply that is nothing but a keyword asks for. */
export type Keyword = 'stop' | 'start' | 'help';

/** In capitals without accents: English, Portuguese, Spanish, French. */
const words: Readonly<Record<Keyword, readonly string[]>> = {
  stop: [
    ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'],
    ...['SAIR', 'PARAR', 'CANCELAR', 'REMOVER'],
    ...['BAJA', 'ALTO'],
    'ARRET',
  ],
  start: ['START', 'UNSTOP', 'VOLTAR'],
  help: ['HELP', 'AJUDA', 'AYUDA'],
};

const keywords = new Map<string, Keyword>(
  (['stop', 'start', 'help'] as const).flatMap((keyword) => words[keyword].map((word) => [word, keyword])),
);

/** More than the longest keyword with what people put around it; what is longer is not looked at. */
const longest = 64;

/**
 * Reads a reply that consists of a keyword alone, whatever its case, accents, spaces and punctuation: "Stop!", "opt-out",
 * "arrêt". "Stop texting me" is none.
 */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > longest) return undefined;
  const word = text
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}\s\p{P}]/gu, '')
    .toUpperCase();
  return keywords.get(word);
}
