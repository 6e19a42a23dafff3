import { existsSync } from 'node:fs';

/** The headless shell needs half the time of a whole browser. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Returns the path of the browser. @throws Error if there is none */
export function chromiumPath(): string {
  const path = [process.env.CHROMIUM_PATH, ...places].find(
    (place) => place !== undefined && existsSync(place),
  );
  if (path !== undefined) return path;
  throw new Error('Chromium is needed: run .ci/install-browser, or set CHROMIUM_PATH to its program.');
}
