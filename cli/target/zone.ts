import { realpathSync } from 'node:fs';
import { CommandFailure } from './errors.ts';

const utc = 'UTC';

/**
 * Returns the time zone of the reader by its IANA name. An empty TZ is UTC, as POSIX says, and so is a machine that knows no zone.
 *
 * @param variable TZ of the environment
 * @param ofMachine the zone that Node.js has found
 * @param targetOf returns the file that a link leads to; undefined for none
 * @throws CommandFailure for a TZ that is no name of a zone: Node.js would take it for UTC, and every time would be wrong by hours
 */
export function readerZone(
  variable: string | undefined,
  ofMachine: string,
  targetOf: (path: string) => string | undefined = fileOf,
): string {
  // POSIX lets the name begin with a colon. Some systems write the path of its file, or of the link to it.
  const written = variable?.replace(/^:/, '');
  const path = written === '/etc/localtime' ? targetOf(written) : written;
  // The folders `posix` and `right` have the same zones. A zero behind UTC is the offset, as POSIX writes it.
  const name = path
    ?.replace(/^.*\/zoneinfo\//, '')
    .replace(/^(posix|right)\//, '')
    .replace(/^(UTC|GMT)0$/, '$1');
  if (name === undefined) return namedZone(ofMachine) ?? utc;
  if (name === '') return utc;
  const zone = namedZone(name);
  if (zone !== undefined) return zone;
  throw new CommandFailure(
    `TZ is ${JSON.stringify(variable)}, which is no name of a time zone. Set TZ to a name such as Europe/Berlin or UTC, or unset it.`,
  );
}

function fileOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the zone with this name as Node.js spells it; undefined for another text, such as the rule "CET-1CEST". */
function namedZone(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || name === 'Etc/Unknown') return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
