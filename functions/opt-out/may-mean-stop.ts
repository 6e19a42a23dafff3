import type { KeywordOf } from './keyword.ts';

/** What follows "cancel", "quit" or "end" where it is something else that is to end: "cancel my appointment". */
const ofSomething = '(?:of|in|my|our|mi|mis|meu|minha)';

/**
 * Ways to ask for no more messages, in English, Portuguese, Spanish and French: lower case, no accents, no apostrophes, one
 * space between words. Whole words each, so "stop texting" is not in "nonstop texting".
 */
const wishes: readonly string[] = [
  'stop (?:texting|messaging|sending|contacting|spamming|bothering|harassing|these|all|now)',
  `(?:please|pls|plz) (?:stop|(?:cancel|quit)(?! ${ofSomething} ))`,
  'stop (?:please|pls|plz|it|stop)',
  'quit (?:texting|messaging|sending|contacting)',
  '(?:do not|dont) (?:ever )?(?:text|message|contact|sms|send me)',
  'no more (?:texts?|messages?|sms|msgs?)',
  'unsubscribe(?: me)?',
  'cancel (?:my |the |this |these )?(?:subscription|messages|texts|sms|alerts)',
  'opt (?:me )?out',
  '(?:remove|delete) (?:me|my (?:phone )?number)',
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

const wish = new RegExp(` (?:${wishes.join('|')}) `);

/** What holds the words of a wish and is none. */
const noWish =
  / (?:(?:dont|do not|never|cant|cannot|wont) (?:ever )?(?:stop|quit)|non stop|(?:i|we) (?:dont|do not) (?:text|message|contact|sms)) /g;

/** What people write before a keyword without meaning anything else: "please stop", "no, stop", "oi, sair". */
const openings: readonly string[] = [
  'please|pls|plz|just|ok|okay|yes|no|hi|hello|hey|thanks|thank you|i (?:want|wish|would like) to|can you|could you',
  'por favor|oi|ola|sim|obrigad[oa]|(?:eu )?quero',
  'hola|si|gracias|(?:yo )?quiero',
  'bonjour|oui|merci|s ?il (?:vous|te) plait|svp|stp|je veux',
];

const opening = new RegExp(`^(?:(?:${openings.join('|')}) )+`);

/** What begins with a keyword and is no wish. */
const otherSense = new RegExp(`^(?:(?:end|quit|cancel|cancelar) ${ofSomething}|quit smoking|stop by) `);

/** "Opt out" is one keyword, of two words. */
const mostWordsOfKeyword = 3;

/** With more of them after the keyword, the reply is about something. */
const mostFurtherWords = 3;

/** Where a sentence, or a part of it, may end. */
const sentenceEnd = /[.,;:!?\n]/;

/** Wishes come early; what is beyond this many UTF-16 units is not looked at. */
const longest = 1000;

/**
 * Whether a reply reads like a wish for no more messages: it begins with the stop keyword of any country and little more
 * ("stop thanks", "cancel please", "SAIR" from Mexico, "STOP. Wrong number..."), or holds words such as "please remove me",
 * "não quero mais receber", "dejen de enviarme". A hint for a person: it misses some wishes and decides nothing. Says nothing of texts that are the keyword where
 * they come from: those are read first.
 */
export function mayMeanStop(text: string, keywordOf: KeywordOf): boolean {
  const words = wordsOf(text);
  if (wish.test(` ${words} `.replace(noWish, ' '))) return true;
  const [beginning = ''] = text.trimStart().split(sentenceEnd, 1);
  return (
    beginsWithStop(words, keywordOf, mostFurtherWords) || beginsWithStop(wordsOf(beginning), keywordOf, 0)
  );
}

function beginsWithStop(words: string, keywordOf: KeywordOf, furtherWords: number): boolean {
  const withoutOpening = words.replace(opening, '');
  if (otherSense.test(`${withoutOpening} `)) return false;
  const all = withoutOpening.split(' ');
  return all
    .slice(0, mostWordsOfKeyword)
    .some(
      (_, index) =>
        all.length - (index + 1) <= furtherWords && keywordOf(all.slice(0, index + 1).join('')) === 'stop',
    );
}

/** In lower case, without accents and apostrophes, one space between words. */
function wordsOf(text: string): string {
  return (
    text
      .slice(0, longest)
      .replace(/[\p{Cf}'’`´]/gu, '')
      // Before NFKD, which makes letters of some symbols.
      .replace(/\p{S}/gu, ' ')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}
