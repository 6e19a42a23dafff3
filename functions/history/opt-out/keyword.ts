import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { normalForm } from '../../../contract/text/normal-form.ts';
import { ownWords, showSymbolLetters, withoutIgnorable, withoutQuotedLines, wordsOf } from './own-words.ts';

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
 * Reads a reply that consists of a keyword alone. "Stop texting me" is no keyword. Lines that the reply quotes ("> Reply STOP to end") are ignored.
 *
 * For stop and help, case, accents, spaces, punctuation and emoji do not matter: "Stop!", "opt-out", "arrêt", "STOP 🛑". Letters that are
 * symbols, as in "Ⓢⓣⓞⓟ" or "ST🅾P", count too. A start word must be written as in the list, because in doubt the person is not opted in:
 * "Start." counts, and "start?", "🚫 START" or "Non, arrêt" (no, stop) for NONARRET does not.
 *
 * @param phone the sender's number in E.164. The words of its country count in addition to the words that count everywhere. A number
 * of an unlisted country, or no number, may use the words of every country: a wrong opt-out does less harm than a missed one
 */
export type KeywordOf = (text: string, phone?: string) => Keyword | undefined;

/** The words of some lists. If two keywords share a word, stop counts, then help. */
interface Index {
  readonly stopOrHelp: ReadonlyMap<string, Keyword>;
  readonly start: ReadonlySet<string>;
}

/**
 * @example
 * const keywordOf = createKeywords(keywords);
 * keywordOf('Sair!', '+5511955550143'); // 'stop'
 */
export function createKeywords({ everywhere, countries }: PartialKeywordList): KeywordOf {
  const listed = Object.entries(countries);
  const byCountry = new Map(listed.map(([country, words]) => [country, indexOf(everywhere, words)]));
  const all = indexOf(everywhere, ...listed.map(([, words]) => words));

  return (text, phone) => {
    const visible = withoutIgnorable(text);
    const own = withoutQuotedLines(visible);
    const words = [own, withoutQuotedLines(showSymbolLetters(visible))].map(keywordText);
    const start = startText(own);
    function find({ stopOrHelp, start: startWords }: Index): Keyword | undefined {
      const found = words.flatMap((word) => stopOrHelp.get(word ?? '') ?? []);
      if (found.length > 0) return found.includes('stop') ? 'stop' : 'help';
      return start !== undefined && startWords.has(start) ? 'start' : undefined;
    }
    // Most replies are no keyword in any country. Then the country of the number does not matter.
    return find(all) && find(byCountry.get(countryOf(phone) ?? '') ?? all);
  };
}

function indexOf(...lists: readonly Partial<KeywordWords>[]): Index {
  const formsOf = (keyword: Keyword, form: typeof keywordText) =>
    lists.flatMap((words) => words[keyword] ?? []).flatMap((word) => form(word) ?? []);
  return {
    stopOrHelp: new Map(
      (['help', 'stop'] as const).flatMap((keyword) =>
        formsOf(keyword, keywordText).map((word) => [word, keyword]),
      ),
    ),
    start: new Set(formsOf('start', startText)),
  };
}

function countryOf(phone: string | undefined): string | undefined {
  return phone === undefined ? undefined : parsePhoneNumberFromString(phone, { extract: false })?.country;
}

/** What is left of a text may be as long as this. Blanks, punctuation and emoji around a word do not count. */
const maxKeywordLength = 64;

/**
 * Returns a text in the form in which words for stop and help are compared: its letters and digits in capitals, in their plain form. Accents, spaces,
 * punctuation, symbols, emoji and their joiners are left out. Full-width and other styled letters that are no symbols count as the letters they show
 * (Unicode Standard Annex #15, NFKD).
 *
 * @returns undefined if nothing is left, or too much to be a keyword
 */
export function keywordText(text: string): string | undefined {
  // NFKD makes letters of some symbols, such as "TM" of the trade mark sign. So symbols are removed first.
  const word = normalForm(withoutIgnorable(text).replace(/\p{S}/gu, ''), 'NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  return word === '' || word.length > maxKeywordLength ? undefined : word;
}

/** Signs that may be around a start word. A question mark, which is ";" in Greek, or a symbol, such as 🚫 or >, leaves a doubt. */
const aroundStart = String.raw`\s.,:!¡。()[\]"'*_\p{Pi}\p{Pf}\p{Ps}\p{Pe}`;
const startWithin = new RegExp(`^[${aroundStart}]*(?<start>.*[^${aroundStart}])`, 'su');

/** Marks that strike a letter out. */
const strikes = /\p{Me}|[\u0334-\u0338]|[\u20d0-\u20ff]/u;

/**
 * Returns a text in the form in which start words are compared: in capitals and without accents. Unlike {@link keywordText}, it keeps the spaces and
 * the punctuation between letters, because "Non, arrêt" is not NONARRET.
 *
 * @returns undefined if the text has a symbol or a letter that is struck out, or cannot be a keyword for its length
 */
export function startText(text: string): string | undefined {
  const visible = withoutIgnorable(text);
  if (keywordText(visible) === undefined || /\p{S}/u.test(visible) || strikes.test(visible)) return undefined;
  const { start = '' } = startWithin.exec(normalForm(visible, 'NFKD').replace(/\p{M}/gu, ''))?.groups ?? {};
  return start
    .replace(/[^\S\r\n]+/g, ' ')
    .replace(/’/g, "'")
    .toUpperCase();
}

/**
 * Returns a function that decides whether a reply may ask for no more messages. Such a reply has the stop keyword of any country
 * and little more ("stop thanks", "Re: STOP", "non, arrêt", "SAIR" from Mexico), begins with a sentence of it ("STOP. Wrong number..."), or holds words such as "please remove
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

  function hasStop(words: string, furtherWords: number): boolean {
    const all = words.replace(opening, '').split(' ');
    if (all.length > furtherWords + maxWordsOfKeyword) return false;
    return all.some((_, first) => {
      const rest = all.slice(first);
      return (
        !otherSense.test(`${rest.join(' ')} `) &&
        rest
          .slice(0, maxWordsOfKeyword)
          .some(
            (_word, last) =>
              all.length - (last + 1) <= furtherWords && isStopWord(rest.slice(0, last + 1).join('')),
          )
      );
    });
  }

  function isWish(own: string): boolean {
    const words = ` ${wordsOf(own)} `.replace(noWish, ' ');
    if (wish.test(words)) return true;
    const [beginning = ''] = own.trimStart().split(sentenceEnd, 1);
    return hasStop(words.trim(), maxFurtherWords) || hasStop(wordsOf(beginning), 0);
  }

  return (text) => {
    // What a reaction quotes is found before its emoji, such as 🅾, are read as letters.
    const own = ownWords(withoutIgnorable(text));
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

/** Phrases that contain the words of a wish without being one. "Non, stop" is French for "no, stop". */
const noWish =
  / (?:(?:dont|do not|never|cant|cannot|wont) (?:ever )?(?:stop|quit)|non stop(?= (?:texting|messaging|sending|contacting|spamming))|(?:i|we) (?:dont|do not) (?:text|message|contact|sms)) /g;

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
