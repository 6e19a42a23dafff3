import { normalForm } from '../../../contract/text/normal-form.ts';

/** So many UTF-16 units of a text are looked through for a wish. */
const maxTextLength = 1000;

/**
 * Returns a text without the characters that a person does not see. Some of them are letters to Unicode, such as the Hangul filler, and the
 * blank of Braille is a symbol.
 */
export function withoutIgnorable(text: string): string {
  return text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
}

/** The first letters of the alphabets whose letters are symbols: ⒜ to ⒵, Ⓐ, ⓐ, 🄐, 🄰, 🅐 and 🅰. */
const symbolAlphabets = [0x249c, 0x24b6, 0x24d0, 0x1f110, 0x1f130, 0x1f150, 0x1f170];

const symbolLetters = /[⒜-ⓩ🄐-🄩🄰-🅉🅐-🅩🅰-🆉]/gu;

/**
 * Returns a text with the letters that symbols show: "🆂🆃🅾🅿" becomes "STOP". Some of these symbols are emoji too, such as 🅿. Flags stay as they
 * are: the one of Chad would be TD, a stop word of Canada.
 */
export function showSymbolLetters(text: string): string {
  return text.replace(symbolLetters, (symbol) => {
    const code = symbol.codePointAt(0) ?? 0;
    const first = symbolAlphabets.findLast((letter) => letter <= code) ?? code;
    return String.fromCharCode('A'.charCodeAt(0) + code - first);
  });
}

/** Returns a text in lower case, without accents and apostrophes, with one space between words. Wishes come early, so the rest of a long text is ignored. */
export function wordsOf(text: string): string {
  // NFKD makes letters of some symbols, so symbols are removed first.
  const plain = text
    .slice(0, maxTextLength)
    .replace(/[\p{Cf}'’`´]/gu, '')
    .replace(/\p{S}/gu, ' ');
  return normalForm(plain, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Returns a reply without the lines that it quotes, such as "> Reply STOP to end". A reply without other words is returned whole, because
 * some people decorate their own words in this way: ">> STOP <<".
 */
export function withoutQuotedLines(text: string): string {
  const own = text.replace(/^[^\S\r\n\u2028\u2029]*>.*$/gm, '');
  return /[\p{L}\p{N}]/u.test(own) ? own : text;
}

/**
 * Returns the part of a reply that the person wrote. A phone that can't send a reaction as such sends a text that quotes the message:
 * Liked “Your visit is tomorrow at 9. Reply STOP to opt out”. Of it, only the words before the quote are returned.
 */
export function ownWords(text: string): string {
  const beforeQuote = quoteToTheEnd.exec(text)?.[1];
  return beforeQuote !== undefined && opensReaction(beforeQuote) ? beforeQuote : withoutQuotedLines(text);
}

/** Some words, and a quote that reaches to the end of the text. German and Czech quotes end with the sign that English ones begin with. */
const quoteToTheEnd = /^([^“”„«"]{1,60})[“„«"].*[“”»"][\s\p{Cf}]*$/su;

function opensReaction(text: string): boolean {
  const words = wordsOf(text);
  return (
    reaction.test(words) || (emojiAndOneWord.test(text) && words.split(' ').length <= maxWordsOfEmojiReaction)
  );
}

/** An emoji and a preposition before the quote: 👍 to “…”, Reagiu com 👍 a “…”. */
const emojiAndOneWord = /\p{Extended_Pictographic}[^\p{L}\p{N}]*\p{L}{1,5}[^\p{L}\p{N}]*$/u;
const maxWordsOfEmojiReaction = 4;

/**
 * What iPhones and Google Messages write before the quote, in the form of `wordsOf`. The languages are those in which people collected
 * these texts: see data/src/main/assets/emojis in github.com/quik-sms/quik. A reaction in another language leads to a notice.
 */
const reactionOpenings: readonly string[] = [
  // English
  '(?:dis)?liked|loved|laughed at|emphasi[sz]ed|questioned',
  'reacted (?:with )?(?:a sticker )?to',
  'removed (?:(?:a|an) (?:heart|like|dislike|laugh|exclamation|question mark) )?from',
  // Spanish
  '(?:no )?le gust[oa]|le encant[oa]|le dio risa|le parecio gracioso|exclamo por|enfatizo|dudo sobre|reacciono con a',
  // French
  'a adore|(?:a )?aime|a attribue la mention|a reagi avec a|a retire (?:un \\S+ )?de',
  // German
  'gefallt|entfernte (?:ein \\S+ )?aus',
  // Norwegian
  '(?:mis)?likte|(?:mis)?liker ikke lenger|lo av|satte (?:et hjerte|utropstegn|spørsmalstegn) ved|reagerte med pa',
  'fjernet (?:latter |et \\S+ )?fra',
  // Polish
  'pokochał|(?:po|znie)lubił|zasmiał sie z|podkreslił|zakwestionował|zareagował na|usunał (?:znak \\S+ |\\S+ )?z',
  // Czech
  'milovany|libilo se|nelibi se|smal se|zdurazneno|otazka|reagoval na',
  '(?:odstraneno|odstranen|odebran|odstranil jsem) (?:nelibi se |\\S+ )?z',
  // Hungarian
  'szivecske erre|(?:nem )?kedveli|nevetett rajta|kiemelte|kerdezte|reagalt erre',
  '(?:nem )?(?:\\S+ )?eltavolitva (?:innen|errol)',
  // Russian and Bulgarian
  '(?:очень |не )?понравилось|посмеялись над|отмечено|поставлен вопрос на|реакция (?:на|удалена из)',
  'харесано|реакция към|премахнато от',
];

const reaction = new RegExp(`^(?:${reactionOpenings.join('|')})$`);
