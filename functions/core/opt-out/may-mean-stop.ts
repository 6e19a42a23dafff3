import type { KeywordOf } from './keyword.ts';

/**
 * Ways to ask for no more messages, in English, Portuguese, Spanish and French: lower case, no accents, no apostrophes, one
 * space between words. Whole words each, so "stop texting" is not in "nonstop texting".
 */
const wishes: readonly string[] = [
  'stop (?:texting|messaging|sending|contacting|spamming|bothering|harassing|these|all|now)',
  '(?:please|pls|plz) (?:stop|cancel|quit)',
  'stop (?:please|pls|plz|it|stop)',
  'quit (?:texting|messaging|sending|contacting)',
  '(?:do not|dont) (?:ever )?(?:text|message|contact|sms|send me)',
  'no more (?:texts?|messages?|sms|msgs?)',
  'unsubscribe(?: me)?',
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
  'cancelar (?:a )?(?:minha )?(?:inscricao|assinatura)',

  'no (?:quiero|deseo) (?:mas )?(?:recibir|mensajes?|sms)',
  '(?:deja|deje|dejen) de (?:me )?(?:enviar|mandar|escribir|molestar)(?:me|nos|le)?',
  'no me (?:envie|envien|envies|mande|manden|mandes|escriba|escriban|escribas|moleste|molesten|molestes)',
  '(?:darme|denme|deme|dame|darnos) de baja',
  '(?:quitar|quite|quiten|quita|borrar|borre|borren|borra|eliminar|elimine|eliminen|elimina|saquen|saca)(?:me| mi numero)',
  'no mas (?:mensajes?|sms)',

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

/** What people write before a keyword without meaning anything else: "please stop", "oi, sair". */
const openings: readonly string[] = [
  'please|pls|plz|just|ok|okay|yes|hi|hello|hey|thanks|thank you|i (?:want|wish|would like) to|can you|could you',
  'por favor|oi|ola|sim|obrigad[oa]|(?:eu )?quero',
  'hola|si|gracias|(?:yo )?quiero',
  'bonjour|oui|merci|s ?il (?:vous|te) plait|svp|stp|je veux',
];

const opening = new RegExp(`^(?:(?:${openings.join('|')}) )+`);

/** "Opt out" is one keyword, of two words. */
const mostWordsOfKeyword = 3;

/** Wishes come early; what is beyond this many UTF-16 units is not looked at. */
const longest = 1000;

/**
 * Whether a reply reads like a wish for no more messages: it begins with the stop keyword of any country ("stop thanks",
 * "cancel please", "SAIR" from Mexico), or holds words such as "please remove me", "não quero mais receber", "dejen de
 * enviarme". A hint for a person: it misses some wishes and decides nothing. Says nothing of texts that are the keyword where
 * they come from: those are read first.
 */
export function mayMeanStop(text: string, keywordOf: KeywordOf): boolean {
  const words = wordsOf(text);
  return wish.test(` ${words} `.replace(noWish, ' ')) || beginsWithStop(words, keywordOf);
}

function beginsWithStop(words: string, keywordOf: KeywordOf): boolean {
  const first = words.replace(opening, '').split(' ').slice(0, mostWordsOfKeyword);
  return first.some((_, index) => keywordOf(first.slice(0, index + 1).join('')) === 'stop');
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
