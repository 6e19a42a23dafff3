import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import {
  hasSymbolWord,
  isQuoteAlone,
  maxTextLength,
  ownWords,
  showSymbolLetters,
  withoutQuotedLines,
  wordsOf,
} from './own-words.ts';

/** The meaning of a reply that consists of a keyword alone. */
type Keyword = 'stop' | 'start' | 'help';

/** The words of each keyword. */
export type KeywordWords = Readonly<Record<Keyword, readonly string[]>>;

/** The words that count everywhere, and those that count in one country (ISO 3166-1) only. See docs/guides/automations/opt-out.md. */
export interface KeywordList {
  readonly everywhere: KeywordWords;
  readonly countries: Readonly<Record<string, KeywordWords>>;
}

/** A list from which keywords without words may be left out. */
interface PartialKeywordList {
  readonly everywhere: Partial<KeywordWords>;
  readonly countries: Readonly<Record<string, Partial<KeywordWords>>>;
}

/**
 * Reads a reply that consists of a keyword alone, whatever its case, accents, spaces, punctuation and emoji: "Stop!",
 * "opt-out", "arrêt", "STOP 🛑". "Stop texting me" is no keyword. Lines that the reply quotes ("> Reply STOP to end") are ignored. Letters that are
 * symbols, as in "Ⓢⓣⓞⓟ" or "ST🅾P", count too. A start in such letters, or beside two of them, does not count.
 *
 * @param phone the sender's number in E.164. The words of its country count in addition to the words that count everywhere. A number
 * of an unlisted country, or no number, may use the words of every country: a wrong opt-out does less harm than a missed one
 */
export type KeywordOf = (text: string, phone?: string) => Keyword | undefined;

/** Where two keywords share a word, the later one in this order counts. */
const weakestFirst = ['start', 'help', 'stop'] as const;

/**
 * @example
 * const keywordOf = createKeywords(keywords);
 * keywordOf('Sair!', '+5511955550143'); // 'stop'
 */
export function createKeywords({ everywhere, countries }: PartialKeywordList): KeywordOf {
  const listed = Object.entries(countries);
  const byCountry = new Map(listed.map(([country, words]) => [country, indexOf(everywhere, words)]));
  const all = indexOf(everywhere, ...listed.map(([, words]) => words));
  function find(text: string, phone: string | undefined): Keyword | undefined {
    const word = keywordText(withoutQuotedLines(text));
    // Most replies are no keyword in any country. Then the country of the number does not matter.
    if (word === undefined || !all.has(word)) return undefined;
    return (byCountry.get(countryOf(phone) ?? '') ?? all).get(word);
  }

  return (text, phone) => {
    const keyword = find(text, phone);
    const inSymbols = find(showSymbolLetters(text), phone);
    if (keyword === 'stop' || inSymbols === 'stop') return 'stop';
    const other = keyword ?? inSymbols;
    if (other !== 'start') return other;
    // In doubt the person is not opted in: a quote alone is perhaps not what the person says, and "START 🆂🆃🅾🅿" says both.
    return keyword === undefined || isQuoteAlone(text) || hasSymbolWord(text) ? undefined : 'start';
  };
}

function indexOf(...lists: readonly Partial<KeywordWords>[]): ReadonlyMap<string, Keyword> {
  const index = new Map<string, Keyword>();
  for (const keyword of weakestFirst)
    for (const word of lists.flatMap((words) => words[keyword] ?? []))
      index.set(keywordText(word) ?? '', keyword);
  return index;
}

function countryOf(phone: string | undefined): string | undefined {
  return phone === undefined ? undefined : parsePhoneNumberFromString(phone, { extract: false })?.country;
}

const maxKeywordLength = 64;

/**
 * Returns a text in the form in which keywords are compared: its letters and digits in capitals, in their plain form. Accents, spaces,
 * punctuation, symbols, emoji and their joiners are left out. Full-width and other styled letters that are no symbols count as the letters they show
 * (Unicode Standard Annex #15, NFKD).
 *
 * @returns undefined if nothing is left, or too much to be a keyword
 */
export function keywordText(text: string): string | undefined {
  if (text.length > maxTextLength) return undefined;
  const word = text
    // NFKD makes letters of some symbols, such as "TM" of the trade mark sign. So symbols are removed first.
    .replace(/\p{S}/gu, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  return word === '' || word.length > maxKeywordLength ? undefined : word;
}

/**
 * Returns a function that decides whether a reply may ask for no more messages. Such a reply begins with the stop keyword of any country
 * and little more ("stop thanks", "cancel please", "SAIR" from Mexico, "STOP. Wrong number..."), or holds words such as "please remove
 * me", "não quero mais receber", "dejen de enviarme". Only what the person wrote counts, not what a reaction or a reply quotes. It is a
 * hint for a person, which misses some wishes and decides nothing. Replies that are a keyword in their country are not meant for it.
 */
export function createStopHints(keywordOf: KeywordOf): (text: string) => boolean {
  const politeStop = `(?:please|pls|plz) (?:stop|(?:cancel|quit)(?! ${ofSomething} ))`;
  const wish = new RegExp(` (?:${[politeStop, ...wishes].join('|')}) `);
  const opening = new RegExp(`^(?:(?:${openings.join('|')}) )+`);
  const otherSense = new RegExp(`^(?:(?:end|quit|cancel|cancelar) ${ofSomething}|${otherSenses.join('|')}) `);
  const otherStopWords = new Set(stopWordsWithoutSource.map(keywordText));

  function isStopWord(word: string): boolean {
    return keywordOf(word) === 'stop' || otherStopWords.has(keywordText(word));
  }

  function beginsWithStop(words: string, furtherWords: number): boolean {
    const withoutOpening = words.replace(opening, '');
    if (otherSense.test(`${withoutOpening} `)) return false;
    const all = withoutOpening.split(' ');
    return all
      .slice(0, maxWordsOfKeyword)
      .some(
        (_, index) =>
          all.length - (index + 1) <= furtherWords && isStopWord(all.slice(0, index + 1).join('')),
      );
  }

  function isWish(own: string): boolean {
    const words = wordsOf(own);
    if (wish.test(` ${words} `.replace(noWish, ' '))) return true;
    const [beginning = ''] = own.trimStart().split(sentenceEnd, 1);
    return beginsWithStop(words, maxFurtherWords) || beginsWithStop(wordsOf(beginning), 0);
  }

  return (text) => {
    // What a reaction quotes is found before its emoji, such as 🅾, are read as letters.
    const own = ownWords(text);
    return [...new Set([own, ownWords(showSymbolLetters(own))])].some(isWish);
  };
}

/** Words after "cancel", "quit" or "end" that show that something else shall end: "cancel my appointment". */
const ofSomething = '(?:of|in|my|our|mi|mis|meu|minha)';

/** Beginnings that have the letters of a stop keyword and another sense. "td" is short for "tudo" (all) in Portuguese. */
const otherSenses: readonly string[] = [
  'quit smoking',
  'stop by',
  'remove (?:the|a|an|one|it|that)',
  'salir (?:a|con|el|en|hoy|manana|temprano|tarde)',
  'td (?:bem|bom|certo|ok|joia|sim|mundo|dia|tranquilo)',
];

/** Words that ask for no more messages, without a provider that documents them as keywords. */
const stopWordsWithoutSource: readonly string[] = [
  'PARE',
  'QUITAR',
  'ABMELDEN',
  'ABBESTELLEN',
  'AFMELDEN',
  'СТОП',
];

/**
 * Phrases that ask for no more messages, in English, Portuguese, Spanish and French: lower case, no accents, no apostrophes, one
 * space between words. Whole words each, so "stop texting" is not in "nonstop texting".
 */
const wishes: readonly string[] = [
  'stop (?:texting|messaging|sending|contacting|spamming|bothering|harassing|these|all|now)',
  'stop (?:please|pls|plz|it|stop)',
  'quit (?:texting|messaging|sending|contacting)',
  '(?:do not|dont) (?:ever )?(?:text|message|contact|sms|send me)',
  'no more (?:texts?|messages?|sms|msgs?)',
  'unsubscribe(?: me)?',
  'cancel (?:my |the |this |these )?(?:subscription|messages|texts|sms|alerts)',
  'opt (?:me )?out',
  '(?:remove|delete) (?:me|(?:my|this) (?:phone )?number)',
  'take (?:me|my (?:phone )?number) off',
  'leave me alone',

  'nao (?:quero|desejo|gostaria de) (?:mais )?(?:receber|mensagem|mensagens|sms)',
  'nao (?:me )?(?:mande|mandem|envie|enviem|manda|envia)(?: mais)? (?:mensagem|mensagens|sms|nada|mais)',
  'pare(?:m)? de (?:me )?(?:enviar|mandar|escrever|incomodar|perturbar)',
  'para de (?:me )?(?:enviar|mandar|escrever|incomodar|perturbar)',
  '(?:me (?:tire|tira|tirem|remova|remove|removam)|(?:tire|remova|removam) (?:me|meu numero|o meu numero))',
  '(?:me )?descadastr(?:e|em|ar|a)',
  '(?:sair|saia|tirar) da lista',
  'cancelar (?:[ao]s? )?(?:minha |meu )?(?:inscricao|assinatura|cadastro|mensagens|sms)',

  'no (?:quiero|deseo) (?:mas )?(?:recibir|mensajes?|sms)',
  '(?:deja|deje|dejen) de (?:me )?(?:enviar|mandar|escribir|molestar)(?:me|nos|le)?',
  'no me (?:envie|envien|envies|mande|manden|mandes|escriba|escriban|escribas|moleste|molesten|molestes)',
  '(?:darme|denme|deme|dame|darnos) de baja',
  '(?:quitar|quite|quiten|quita|borrar|borre|borren|borra|eliminar|elimine|eliminen|elimina|saquen|saca)(?:me| mi numero)',
  'no mas (?:mensajes?|sms)',
  'cancelar (?:la |los |mis? )?(?:suscripcion|inscripcion|mensajes)',

  'arret(?:e|ez|er) de (?:m |me )?(?:envoyer|menvoyer|ecrire|mecrire|contacter|deranger)',
  'ne (?:m|me) (?:envoyez|envoie|ecrivez|contactez) (?:plus|pas)',
  'ne menvoyez (?:plus|pas)',
  'ne (?:veux|souhaite) plus recevoir',
  'plus de (?:messages?|sms|textos?)',
  '(?:me )?desabonne[rz]?(?: moi)?',
  '(?:me )?desinscri(?:re|vez|s)(?: moi)?',
  '(?:retirez|supprimez|enlevez) (?:moi|mon numero)',
  'laissez moi tranquille',
];

/** Phrases that contain the words of a wish without being one. */
const noWish =
  / (?:(?:dont|do not|never|cant|cannot|wont) (?:ever )?(?:stop|quit)|non stop|(?:i|we) (?:dont|do not) (?:text|message|contact|sms)) /g;

/** Words before a keyword that do not change its meaning: "please stop", "no, stop", "oi, sair". */
const openings: readonly string[] = [
  'please|pls|plz|just|ok|okay|yes|no|hi|hello|hey|thanks|thank you|i (?:want|wish|would like) to|can you|could you',
  'por favor|oi|ola|sim|obrigad[oa]|(?:eu )?quero',
  'hola|si|gracias|(?:yo )?quiero',
  'bonjour|oui|merci|s ?il (?:vous|te) plait|svp|stp|je veux',
];

/** "Opt out" is one keyword, of two words. */
const maxWordsOfKeyword = 3;

/** A reply with more words after the keyword is about something else. */
const maxFurtherWords = 3;

/** The end of a sentence, or of a part of it. */
const sentenceEnd = /[.,;:!?\n]/;
