import type { Period, PeriodTotal } from '../../client/types.ts';
import { deliveryRate } from './rates.ts';

/** The figures of one source. */
export type SourceFigures = NonNullable<PeriodTotal['sources']>[number];

type CountryFigures = NonNullable<SourceFigures['countries']>[number];

interface RateSeries {
  readonly name: string;
  /** A rate for each period; undefined without a message that has an outcome. */
  readonly values: readonly (number | undefined)[];
}

/** Returns the delivery rates of sources over time. @param periods undefined without messages */
export function ratesBySource(
  periods: readonly (Period | undefined)[],
  names: readonly string[],
): readonly RateSeries[] {
  return names.map((name) => ({
    name,
    values: periods.map((period) => {
      const own = period?.sources?.find(({ source }) => source === name);
      return own && deliveryRate(own);
    }),
  }));
}

interface ComparedCountry {
  readonly country: string;
  readonly messages: number;
  /** In the order of the sources. */
  readonly bySource: readonly { readonly source: string; readonly counts: CountryFigures | undefined }[];
}

/** Returns the countries that any of the sources has messages to, that of the most messages first. */
export function compareByCountry(sources: readonly SourceFigures[]): readonly ComparedCountry[] {
  const all = sources.flatMap(({ countries = [] }) => countries);
  return [...Map.groupBy(all, ({ country }) => country)]
    .map(([country, own]) => ({
      country,
      messages: own.reduce((sum, { messages }) => sum + messages, 0),
      bySource: sources.map(({ source, countries }) => ({
        source,
        counts: countries?.find((one) => one.country === country),
      })),
    }))
    .sort((a, b) => b.messages - a.messages);
}
