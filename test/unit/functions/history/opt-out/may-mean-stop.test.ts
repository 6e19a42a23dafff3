import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStopHints } from '../../../../../functions/history/opt-out/keyword.ts';
import { keywordOf, shippedKeywords } from '../../../../../tools/support/keywords.ts';
import { assertProperty } from '../../../../support/property.ts';

const mayMeanStop = createStopHints(keywordOf);

it.each([
  'stop texting me',
  'Stop sending me these messages!!',
  'please remove me from your list',
  'Take me off this list',
  'don’t text me again',
  "Don't ever contact me",
  'no more texts, thanks',
  'I want to unsubscribe from this',
  'opt me out',
  'Não quero mais receber',
  'Parem de me enviar SMS',
  'me tira dessa lista',
  'ME DESCADASTRE',
  'Dejen de enviarme mensajes',
  'Bórrenme por favor',
  'No me envíen más',
  'quiero darme de baja',
  'Arrêtez de m’envoyer des SMS',
  'Je ne veux plus recevoir de messages',
  'désabonnez-moi',
  'stop thanks',
  'ＳＴＯＰ ｔｅｘｔｉｎｇ me',
  'stop🛑texting me',
  '🆂🆃🅾🅿 texting me',
  'Ⓢⓣⓞⓟ thanks',
  '🅿️stop texting me',
  'cancel please',
  'Ok, stop.',
  'Opt out, thank you',
  'Baja por favor',
  'STOP 2',
  'No, stop',
  'Non, stop',
  'Non, arrêt',
  'NON\nARRET',
  'Non... arrêt svp',
  'UN STOP',
  'un. stop',
  'Re: STOP',
  'RE:STOP',
  'Fwd: STOP',
  '1 STOP',
  '<b>STOP</b>',
  'ok now opt out',
  'STOP\u3164 thanks',
  'STOP. You have the wrong number, I wrote you twice',
  'Stop\nSent from my new phone today',
  'Please cancel my subscription',
  'cancel my subscription to this today',
  'Cancelar mi suscripción desde hoy',
])('mayMeanStop accepts %j', (text) => {
  expect(mayMeanStop(text)).toBe(true);
});

it.each([
  'yes',
  'Where is the bus stop?',
  'Reacted 🅾️ to “Reply STOP to opt out”',
  "please don't stop sending me offers",
  'Non-stop texting is what I do',
  'stopped by your shop today',
  'Can you remove the second item?',
  'Não quero mais esse produto',
  'No quiero ir mañana',
  'Ne m’attendez pas',
  'para de chover?',
  'Thanks! I do not text much',
  'End of the month works for me',
  'No end in sight',
  'Please cancel my 3pm appointment',
  'Quit smoking class?',
  'Cancelar mi cita del lunes',
  'Quero cancelar meu pedido',
  'Stop by at noon',
  'Alto y claro, nos vemos el lunes',
  'Cancel the table for four tonight',
  '',
])('mayMeanStop rejects %j', (text) => {
  expect(mayMeanStop(text)).toBe(false);
});

it('mayMeanStop ignores a wish far down in a long text', () => {
  expect(mayMeanStop(`${'word '.repeat(300)}stop texting me`)).toBe(false);
});

it('keywordOf or mayMeanStop recognises the stop word of any country, alone or with text after it', () => {
  const words = [shippedKeywords.everywhere, ...Object.values(shippedKeywords.countries)].flatMap(
    ({ stop }) => stop,
  );
  // Area codes that are not in use.
  const phones = ['+5500955550143', '+520005550143', '+33000555014', '+12025550143', undefined];
  const rest = fc.constantFrom('', '!', ' 🛑', ' thanks', ' por favor', ', merci', ' 😀 9');
  assertProperty(
    fc.property(fc.constantFrom(...words), rest, fc.constantFrom(...phones), (word, after, phone) => {
      const text = word.toLowerCase() + after;
      expect(keywordOf(text, phone) === 'stop' || mayMeanStop(text)).toBe(true);
    }),
  );
});
