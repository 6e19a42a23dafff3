import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the path of the browser. @throws Error where there is none */
export function chromiumPath(): string {
  const path = [process.env.CHROMIUM_PATH, ...places].find(
    (place) => place !== undefined && existsSync(place),
  );
  if (path !== undefined) return path;
  throw new Error(
    'The tests of the console need Chromium: run "apt-get install chromium", or set CHROMIUM_PATH to its program.',
  );
}
