import { BarTable } from '../../parts/bar-table.tsx';
import { useCountryName } from '../../parts/country-name.ts';
import { deliveryRate, isFailureRateHigh } from '../../rules/rates.ts';
import { compareByCountry, type SourceFigures } from '../../rules/sources.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

interface ProviderCountriesProps {
  readonly sources: readonly SourceFigures[];
}

/** How each source does in each country: the same country, side by side. */
export function ProviderCountries({ sources }: ProviderCountriesProps) {
  const { overview, providers } = useWords();
  const { percent, wait } = useFormats();
  const countryName = useCountryName();
  const countries = compareByCountry(sources);
  const most = countries[0]?.messages ?? 0;
  return (
    <div className="card">
      <h2>{overview.countries}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which a keyboard needs a stop for. */}
      <section className="wide-table" aria-label={overview.countries} tabIndex={0}>
        <BarTable
          label={overview.countries}
          headers={[overview.country, ...sources.map(({ source }) => source)]}
          rows={countries.map(({ country, messages, bySource }) => ({
            key: country,
            share: most === 0 ? 0 : messages / most,
            name: countryName(country),
            cells: bySource.map(
              ({ source, counts }) =>
                counts && (
                  <span className="rate-and-time" key={source}>
                    <span className="failed-share" data-alarming={isFailureRateHigh(counts) || undefined}>
                      {percent(deliveryRate(counts))}
                    </span>
                    <span className="note">
                      {counts.timeToDelivery === null ? '–' : wait(counts.timeToDelivery.p95)}
                    </span>
                  </span>
                ),
            ),
          }))}
        />
      </section>
      <p className="note">{providers.countriesNote}</p>
    </div>
  );
}
