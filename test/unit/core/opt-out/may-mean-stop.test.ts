import { expect, it } from 'vitest';
import { mayMeanStop } from '../../../../functions/core/opt-out/may-mean-stop.ts';

it.each([
  'stop texting me',
  'Stop sending me these messages!!',
  'PLEASE STOP',
  'please remove me from your list',
  'Take me off this list',
  'don’t text me again',
  "Don't ever contact me",
  'no more texts, thanks',
  'I want to unsubscribe from this',
  'opt me out',
  'Não quero mais receber',
  'nao quero mais receber mensagens',
  'Parem de me enviar SMS',
  'me tira dessa lista',
  'ME DESCADASTRE',
  'Dejen de enviarme mensajes',
  'no quiero recibir mas mensajes',
  'Bórrenme por favor',
  'No me envíen más',
  'quiero darme de baja',
  'Arrêtez de m’envoyer des SMS',
  'Je ne veux plus recevoir de messages',
  'désabonnez-moi',
])('reads like a wish for no more messages: %j', (text) => {
  expect(mayMeanStop(text)).toBe(true);
});

it.each([
  'yes',
  'Where is the bus stop?',
  "please don't stop sending me offers",
  'Non-stop texting is what I do',
  'No, thanks',
  'stopped by your shop today',
  'Can you remove the second item?',
  'Não quero mais esse produto',
  'No quiero ir mañana',
  'no quiero mas pan',
  'Ne m’attendez pas',
  'para de chover?',
  'Thanks! I do not text much',
  '',
  '👍',
])('does not: %j', (text) => {
  expect(mayMeanStop(text)).toBe(false);
});

it('a wish far down in a long text is not looked for', () => {
  expect(mayMeanStop(`${'word '.repeat(300)}stop texting me`)).toBe(false);
});
