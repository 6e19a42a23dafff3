import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../aws-protocol/http.ts';
import type { Faults } from './faults.ts';
import { errorAnswer, ok, problemsOf, type Route } from './router.ts';

const card = z.strictObject({
  id: z.guid().default(() => randomUUID()),
  number: z
    .string()
    .regex(/^\d{4}$/)
    .default('4242'),
  name: z.string().default('ADA EXAMPLE'),
  alias: z.string().default('Main card'),
  /** MM/YY from the real service. Any text is accepted here, so that tests can send an unreadable one. */
  validate: z.string(),
  flag: z.string().default('visa'),
  default: z.boolean().default(false),
});

/** The body of `PUT /sandbox/cards`, which replaces all cards. Only `validate` is required. */
const cardsInput = z.strictObject({ data: z.array(card).max(100) });

const initialCards: z.output<typeof cardsInput> = {
  data: [
    {
      id: '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a01',
      number: '4242',
      name: 'ADA EXAMPLE',
      alias: 'Main card',
      validate: '09/31',
      flag: 'visa',
      default: true,
    },
    {
      id: '6f6a2b7e-6d0f-4f0e-9d3b-0a5f6c1f7a02',
      number: '4444',
      name: 'ADA EXAMPLE',
      alias: 'Spare card',
      validate: '01/30',
      flag: 'mastercard',
      default: false,
    },
  ],
};

export interface Cards {
  readonly routes: readonly Route[];
}

/** Makes "list saved cards", and `PUT /sandbox/cards`, which replaces the two initial cards. */
export function createCards(): Cards {
  let cards = initialCards;
  const list: Route = {
    method: 'GET',
    path: '/v1/billing/cards',
    isProtected: true,
    answer: () => ok(cards),
  };
  const replace: Route = {
    method: 'PUT',
    path: '/sandbox/cards',
    isProtected: false,
    answer: ({ text }) => {
      const input = cardsInput.safeParse(parseJson(text));
      if (!input.success)
        return errorAnswer(422, 'ValidationError', 'The cards are not valid', problemsOf(input.error));
      cards = input.data;
      return ok(cards);
    },
  };
  return { routes: [list, replace] };
}

// Required fields and limits are not documented. The phone is required here, because a contact is found by it. No number has more than 15 digits
// (E.164).
const contactInput = z.object({
  phone: z
    .string()
    .min(1)
    .refine((phone) => phone.replace(/\D/g, '').length <= 15, 'The number has more than 15 digits'),
  full_name: z.string().optional(),
  email: z.email().optional(),
  lists: z.array(z.guid()).optional(),
});

interface Contact extends z.output<typeof contactInput> {
  readonly id: string;
}

export interface Contacts {
  readonly routes: readonly Route[];
  all(): Contact[];
}

/** Makes "create contact", an upsert by phone that answers the contact's UUID. */
export function createContacts(faults: Faults): Contacts {
  const byPhone = new Map<string, Contact>();
  const store: Route = {
    method: 'POST',
    path: '/v1/contacts/store',
    isProtected: true,
    answer: ({ text }) => {
      const refusal = faults.nextRefusal('refuseContacts');
      if (refusal !== undefined) return refusal;
      const input = contactInput.safeParse(parseJson(text));
      if (!input.success)
        return errorAnswer(400, 'BadRequest', 'The contact is not valid', problemsOf(input.error));
      const { phone } = input.data;
      const contact = { id: randomUUID(), ...byPhone.get(phone), ...input.data };
      byPhone.set(phone, contact);
      return ok(contact.id);
    },
  };
  return { routes: [store], all: () => [...byPhone.values()] };
}
