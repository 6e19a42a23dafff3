import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, posix } from 'node:path';
import { text } from 'node:stream/consumers';

// Reads a stack of a deployed function and says where in the sources its places are. The maps are those of the last synth: of the
// commit that was deployed, since the same sources give the same bytes.
const [name = '', maps = 'cdk.out/.build/maps'] = process.argv.slice(2);
const file = join(maps, `${name}.js.map`);

if (name === '' || !existsSync(file)) {
  console.error(
    `No ${file}. Usage: npm run -s decode-stack -- <function> [<folder of maps>] < stack, after npx cdk synth`,
  );
  process.exitCode = 1;
} else {
  const map = new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  const place = (found: string, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    // What is not on this line is the last place before it: the stack is of another version.
    if (!('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return found;
    // A map names sources from where it is itself: automations are in a folder.
    const source = posix.join(posix.dirname(name), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  console.log((await text(process.stdin)).trimEnd().replace(/[^\s(]*\bindex\.js:(\d+):(\d+)/g, place));
}
