import { ok } from './answers.ts';
import type { Route } from './router.ts';

const cards = [
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
];

/** List saved cards: two of them. */
export const cardRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/billing/cards', isProtected: true, answer: () => ok({ data: cards }) },
];
