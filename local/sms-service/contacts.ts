import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { errorAnswer, ok, parseJson, problemsOf } from './answers.ts';
import type { Route } from './router.ts';

// Required fields and bounds are not documented: a contact is found by its phone, so that one must be there.
const contactInput = z.object({
  phone: z.string().min(1),
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

/** Create contact: an upsert by phone that gives the contact's UUID. */
export function createContacts(): Contacts {
  const byPhone = new Map<string, Contact>();
  const store: Route = {
    method: 'POST',
    path: '/v1/contacts/store',
    isProtected: true,
    answer: ({ text }) => {
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
