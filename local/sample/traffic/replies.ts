import type { SampleCountry } from './customers.ts';

/** How customers reply to a send. */
export type ReplyStyle = 'appointment' | 'offer' | 'invoice' | 'survey' | 'few';

type Language = SampleCountry['language'];

/** What a customer writes back. */
export interface ReplyText {
  readonly text: string;
  /** What the customer writes after an answer by hand. */
  readonly afterAnswer?: string;
}

/** The share of messages that are replied to, and of those the share of opt-outs. */
export const replyShares: Readonly<Record<ReplyStyle, { readonly replies: number; readonly stop: number }>> =
  {
    appointment: { replies: 0.22, stop: 0.02 },
    offer: { replies: 0.045, stop: 0.55 },
    invoice: { replies: 0.05, stop: 0.05 },
    survey: { replies: 0.35, stop: 0.03 },
    few: { replies: 0.03, stop: 0.1 },
  };

export const stopWords: Readonly<Record<Language, string>> = {
  en: 'STOP',
  de: 'Stop',
  fr: 'ARRET',
  pt: 'SAIR',
  sv: 'STOP',
};

const few: Readonly<Record<Language, readonly ReplyText[]>> = {
  en: [{ text: 'Thanks!' }, { text: 'Who is this?' }, { text: 'ok' }],
  de: [{ text: 'Danke!' }, { text: 'Alles klar' }, { text: 'Wer ist das?' }],
  fr: [{ text: 'Merci !' }, { text: "D'accord" }, { text: 'Je ne l’ai pas reçu' }],
  pt: [{ text: 'Obrigada!' }, { text: 'Ok, combinado' }, { text: 'Não fui eu que pedi' }],
  sv: [{ text: 'Tack!' }, { text: 'Ok' }],
};

const english: Readonly<Record<Exclude<ReplyStyle, 'few'>, readonly ReplyText[]>> = {
  appointment: [
    { text: 'Yes' },
    { text: 'Confirmed, see you then' },
    { text: 'Can I move it to 3 pm?', afterAnswer: 'Perfect, thank you' },
    { text: "I'm running 10 minutes late, is that ok?", afterAnswer: 'Great, on my way' },
    { text: 'Please cancel, I am ill', afterAnswer: 'Next week works, thanks' },
    { text: 'C' },
    { text: '👍' },
  ],
  offer: [
    { text: 'Does this work online too?', afterAnswer: 'Thanks, ordered' },
    { text: 'Do you have it in size 8?' },
    { text: 'Love it ❤️' },
    { text: 'Please stop texting me about sales' },
  ],
  invoice: [
    { text: 'Paid it yesterday', afterAnswer: 'Good, thank you' },
    { text: 'Can you send me the invoice by mail?', afterAnswer: 'Got it' },
    { text: 'Is there a way to pay in two parts?' },
  ],
  survey: [
    { text: '5' },
    { text: '5' },
    { text: '4' },
    { text: '4, delivery took long' },
    { text: '2', afterAnswer: 'The parcel was open when it arrived' },
    { text: '5 very friendly staff' },
  ],
};

const translated: Readonly<Partial<Record<Language, Partial<Record<ReplyStyle, readonly ReplyText[]>>>>> = {
  de: { offer: [{ text: 'Gilt das auch online?', afterAnswer: 'Super, danke' }, { text: 'Bis wann?' }] },
  fr: {
    offer: [
      { text: 'Valable en ligne aussi ?', afterAnswer: 'Merci beaucoup' },
      { text: 'Quels magasins ?' },
    ],
  },
  pt: {
    offer: [{ text: 'Vale para a loja online?', afterAnswer: 'Obrigado!' }, { text: 'Que lindo 😍' }],
    survey: [{ text: '5' }, { text: '4' }, { text: '3, demorou' }, { text: '5 adorei' }],
    invoice: [{ text: 'Já paguei ontem', afterAnswer: 'Obrigada' }],
  },
};

/** Returns the possible replies of a style, in a customer's language. */
export function textsOf(style: ReplyStyle, language: Language): readonly ReplyText[] {
  if (style === 'few') return few[language];
  if (language === 'en') return english[style];
  return translated[language]?.[style] ?? few[language];
}
