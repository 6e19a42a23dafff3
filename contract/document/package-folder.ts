import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package's folder, found from one of its modules, wherever its build has put them. */
export const packageFolder = folderAbove(import.meta.dirname);

function folderAbove(folder: string): string {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'sms-event-pipeline')
    return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error('the files of the package sms-event-pipeline are incomplete');
  return folderAbove(above);
}
