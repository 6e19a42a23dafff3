/**
 * `npm run cost -- (--messages N | --events N) [--in-sends PERCENT] [--retention DAYS] [--set NAME=VALUE]... [--json]`: what a pipeline costs a
 * month, by service. docs/reference/cost.md explains the figures.
 */
import { parseArgs } from 'node:util';
import { OptionError, runScript, wholeNumber } from '../support/run-script.ts';
import { renderTable } from '../support/table.ts';
import { estimate, eventsOf, leftOut, type Traffic } from './estimate.ts';
import { type CostSettings, defaultSettings, readCostSettings, settingNames } from './settings.ts';

const usage = `Estimates what a pipeline costs a month, by service.

Usage: npm run -s cost -- (--messages N | --events N) [options]

  --messages N       the messages of a month, with three reports each
  --events N         the events of a month, instead of its messages
  --in-sends PERCENT the percentage of the events that belongs to large sends (default 100)
  --retention DAYS   the days for which messages are kept (default ${defaultSettings.retentionDays})
  --set NAME=VALUE   a setting; may be given several times
  --json             prints JSON
  --help             prints this

Settings: ${settingNames.join(', ')}
docs/reference/cost.md explains them.`;

await runScript(() => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      messages: { type: 'string' },
      events: { type: 'string' },
      'in-sends': { type: 'string', default: '100' },
      retention: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const percent = wholeNumber('in-sends', values['in-sends'], 0);
  if (percent > 100) throw new OptionError('--in-sends: expected a percentage from 0 to 100');
  const traffic = { events: readEvents(values), inSends: percent / 100 };
  const texts =
    values.retention === undefined ? values.set : [...values.set, `retentionDays=${values.retention}`];
  const settings = readCostSettings(Object.fromEntries(texts.map(readPair)));
  console.log(values.json ? asJson(traffic, settings) : asText(traffic, settings));
  return 0;
});

function readEvents({
  messages,
  events,
}: {
  messages?: string | undefined;
  events?: string | undefined;
}): number {
  if (messages !== undefined && events === undefined) return eventsOf(wholeNumber('messages', messages, 0));
  if (events !== undefined && messages === undefined) return wholeNumber('events', events, 0);
  throw new OptionError(
    'Give the traffic of a month, either as --messages or as --events: npm run cost -- --messages 1000000',
  );
}

function readPair(text: string): [name: string, value: string] {
  const [, name, value] = /^(?:sms:)?(\w+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new OptionError(`--set ${text}: expected a name and a value, for example --set insights=off`);
  return [name, value];
}

function asJson(traffic: Traffic, settings: Partial<CostSettings>): string {
  const { dollars: fixedDollars, dollarsWithAlwaysFree: fixedDollarsWithAlwaysFree } = estimate(
    { ...traffic, events: 0 },
    settings,
  );
  const fixed = { fixedDollars, fixedDollarsWithAlwaysFree };
  return JSON.stringify({ ...traffic, settings, ...estimate(traffic, settings), ...fixed, leftOut }, null, 2);
}

function asText(traffic: Traffic, settings: Partial<CostSettings>): string {
  const { lines, dollars, dollarsWithAlwaysFree } = estimate(traffic, settings);
  const fixed = estimate({ ...traffic, events: 0 }, settings);
  const spread = estimate({ ...traffic, inSends: 0 }, settings).dollars;
  const rows = lines.map((line) => [line.service, line.use, line.dollars.toFixed(2)]);
  return [
    renderTable([['service', 'use a month', 'US dollars a month'], ...rows, ['all', '', dollars.toFixed(2)]]),
    '',
    `With what AWS gives each account free for good, it costs ${dollarsWithAlwaysFree.toFixed(2)} dollars, if the account uses that for nothing else.`,
    `Without any event it costs ${fixed.dollars.toFixed(2)} dollars a month, or ${fixed.dollarsWithAlwaysFree.toFixed(2)}.`,
    ...(traffic.inSends === 0
      ? ['This is an upper limit, because each event is alone in its batches.']
      : [
          `If all events were spread evenly over the month, it would cost at most ${spread.toFixed(2)} dollars.`,
        ]),
    `Left out: ${leftOut.join('; ')}.`,
  ].join('\n');
}
