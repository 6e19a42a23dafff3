import { existsSync, readFileSync, statSync } from 'node:fs';
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
  let places = 0;
  let known = 0;
  const place = (found: string, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    // Before everything that is mapped: what esbuild itself adds.
    if (!('originalSource' in entry)) return found;
    places += 1;
    if (entry.generatedLine !== Number(line) - 1) return found;
    if (entry.generatedColumn === Number(column) - 1) known += 1;
    // A map names sources from where it is itself: automations are in a folder.
    const source = posix.join(posix.dirname(name), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  const stack = await text(process.stdin);
  console.log(stack.trimEnd().replace(/[^\s(]*\b(?:index|handler)\.js:(\d+):(\d+)/g, place));
  // A stack of this version has 19 of 20 places in the map; another version's has a quarter by chance. One or two
  // places prove too little.
  if (places >= 3 && known < (places * 2) / 3) {
    const made = statSync(file).mtime.toISOString();
    console.error(
      `${known} of ${places} places are where ${file} of ${made} has one: the stack is of another version, and the places are wrong. Synthesize the commit that was deployed then.`,
    );
    process.exitCode = 1;
  }
}
