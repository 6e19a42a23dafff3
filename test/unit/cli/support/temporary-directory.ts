import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder, gone after the tests of the file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sms-cli-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Makes a function that writes a text, bytes, or JSON into a file of a new folder, and returns the file's path. */
export function temporaryFiles(): (name: string, content: unknown) => string {
  const directory = temporaryDirectory();
  return (name, content) => {
    const path = join(directory, name);
    const isWritten = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(path, isWritten ? content : JSON.stringify(content));
    return path;
  };
}
