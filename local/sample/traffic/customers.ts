import type { Country } from './traffic-shape.ts';

/** A country of the sample. Its numbers are reserved for fiction, or belong to no one. */
export interface SampleCountry extends Country {
  readonly language: 'en' | 'de' | 'fr' | 'pt' | 'sv';
  /** The number that messages come from, and replies go to. */
  readonly sender: string;
  readonly numbers: readonly string[];
}

export interface Customer {
  readonly country: SampleCountry;
  readonly phone: string;
}

/** The numbers from `first` to `last`, which have as many digits, after a prefix. */
function range(prefix: string, first: string, last: string, step = 1): string[] {
  const count = Math.floor((Number(last) - Number(first)) / step) + 1;
  return Array.from(
    { length: count },
    (_, index) => prefix + String(Number(first) + index * step).padStart(first.length, '0'),
  );
}

/** In North America 555-0100 to 555-0199 of every area are reserved for fiction. */
const northAmerica = (areas: readonly string[]): string[] =>
  areas.flatMap((area) => range(`+1${area}555`, '0110', '0199'));

/**
 * Sources of the ranges: Ofcom (07700 900000 to 900999), ARCEP (06 39 98), Bundesnetzagentur (0171 39200 and 0176 040690), PTS (070-174 06 05
 * to 99), ACMA (0491 57x xxx, single numbers). Brazil reserves none; it has no area 20.
 */
export const countries: readonly SampleCountry[] = [
  {
    code: 'US',
    perDay: 19,
    ahead: -6,
    rate: 0.982,
    seconds: 4,
    language: 'en',
    sender: '+12025550100',
    numbers: northAmerica(['202', '212', '312', '415']),
  },
  {
    code: 'GB',
    perDay: 11,
    ahead: 0,
    rate: 0.985,
    seconds: 5,
    language: 'en',
    sender: '+447700900001',
    numbers: range('+447700900', '100', '899', 4),
  },
  {
    code: 'DE',
    perDay: 8.5,
    ahead: 1,
    rate: 0.983,
    seconds: 6,
    language: 'de',
    sender: '+491713920000',
    numbers: [...range('+49171392', '0010', '0099'), ...range('+49176040690', '10', '99', 2)],
  },
  {
    code: 'FR',
    perDay: 8.5,
    ahead: 1,
    rate: 0.984,
    seconds: 7,
    language: 'fr',
    sender: '+33639980001',
    numbers: range('+3363998', '0100', '9900', 71),
  },
  {
    code: 'BR',
    perDay: 7,
    ahead: -3,
    rate: 0.94,
    seconds: 10,
    language: 'pt',
    sender: '+5520955550100',
    numbers: range('+552095555', '0110', '0199'),
  },
  {
    code: 'CA',
    perDay: 5,
    ahead: -5,
    rate: 0.984,
    seconds: 4,
    language: 'en',
    sender: '+14165550100',
    numbers: northAmerica(['416']),
  },
  {
    code: 'SE',
    perDay: 4,
    ahead: 1,
    rate: 0.986,
    seconds: 4,
    language: 'sv',
    sender: '+46701740605',
    numbers: range('+4670174', '0610', '0699'),
  },
  {
    code: 'AU',
    perDay: 4,
    ahead: 10,
    rate: 0.99,
    seconds: 6,
    language: 'en',
    sender: '+61491570006',
    numbers: [
      '0156',
      '0157',
      '0158',
      '0159',
      '0110',
      '0313',
      '0737',
      '1266',
      '1491',
      '1804',
      '2549',
      '2665',
      '2983',
      '3770',
      '3087',
      '4118',
      '4632',
      '5254',
      '5789',
      '6398',
      '6801',
      '7426',
      '7644',
      '8957',
    ].map((last) => `+6149157${last}`),
  },
];

/** The number of the support question. Only {@link supportCase} uses it. */
export const supportPhone = '+12025550143';

export const customers: readonly Customer[] = countries.flatMap((country) =>
  country.numbers.filter((phone) => phone !== supportPhone).map((phone) => ({ country, phone })),
);
