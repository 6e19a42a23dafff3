import type { Country } from '../../local/sample/traffic/traffic-shape.ts';

export const countries: readonly Country[] = [
  { code: 'US', perDay: 40_000, ahead: -6, rate: 0.965, seconds: 4 },
  { code: 'GB', perDay: 18_000, ahead: 0, rate: 0.97, seconds: 5 },
  { code: 'DE', perDay: 14_000, ahead: 1, rate: 0.96, seconds: 6 },
  { code: 'FR', perDay: 9_000, ahead: 1, rate: 0.955, seconds: 7 },
  { code: 'IN', perDay: 8_000, ahead: 5.5, rate: 0.9, seconds: 14 },
  { code: 'BR', perDay: 6_000, ahead: -3, rate: 0.92, seconds: 10 },
  { code: 'NG', perDay: 3_000, ahead: 1, rate: 0.86, seconds: 25 },
  { code: 'NZ', perDay: 1_500, ahead: 12, rate: 0.97, seconds: 6 },
];
