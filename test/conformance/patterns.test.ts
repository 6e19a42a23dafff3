import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/*
 * Whether regular expressions need linear time only. recheck judges them: it knows, for example, that with the flag `m` a line also begins behind
 * U+2028. It is a package of this folder, so it has no types here.
 */

type Check = (
  source: string,
  flags: string,
  options: { readonly timeout: number; readonly randomSeed: number },
) => Promise<{ readonly status: 'safe' | 'vulnerable' | 'unknown' }>;

const { check }: { readonly check: Check } = createRequire(import.meta.url)('recheck');

const root = join(import.meta.dirname, '../..');

/** The folders whose code reads what strangers write. */
const folders = ['contract', 'functions', 'cli', 'discovery', 'client', 'events', 'console', 'examples'];

/**
 * Patterns that recheck cannot judge, because they are put together from texts or have the flag `v`, or that may need more than linear time. Each with
 * what keeps it in proportion.
 */
const reviewed: Readonly<Record<string, string>> = {
  'functions/base/sms-service/redact.ts /("((?:[^"\\\\]|\\\\.){1,64})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?/g':
    'begins at a short name of a field, and no part can run over what the next one takes',
  'functions/base/sms-service/caller.ts /\\/+$/': "the contract's base URL, once",
  'functions/receive/quarantine/body-of-event.ts /\\[.*$/': 'a step of a path of the contract',
  'contract/phone/mask.ts /.{0,4}(?:(?:[M-O][DTjz][AEIMQUYcgk][w-z0-5]){2,}|(?:3\\d){8,})/g':
    'what repeats matches as far as it goes, and the next match begins behind it',
  'contract/phone/mask.ts /\\p{N}(?:[[^\\p{L}\\p{N}]\\p{Default_Ignorable_Code_Point}\\p{Lm}]*\\p{N})*/gv':
    'goes on behind what it looked at; texts of errors have 1,024 units at most',
  "contract/phone/mask.ts new RegExp(String.raw`\\+?\\p{N}(?:[${numberSeparators}]{0,3}\\p{N}){6,}`, 'u')":
    'fails behind six digits at most, and is looked for to the first match',
  "contract/phone/mask.ts new RegExp(numberLike.source, 'gu')":
    'fails behind six digits at most, and goes on behind what it looked at',
  "contract/phone/mask.ts new RegExp(`(?<kept>${noNumber.source})|${numberLike.source}`, 'gu')":
    'fails behind six digits at most, and goes on behind what it looked at',
  "contract/events/places.ts /'(?:[^'\\\\]|\\\\.)*'|`[^`]*`/g":
    'an expression of the contract: by the sandbox and the command-line tool',
  'contract/events/places.ts /[A-Za-z_]\\w*\\s*\\(/g':
    'an expression of the contract: by the sandbox and the command-line tool',
  "contract/events/places.ts new RegExp(`(${name})|\\\\[(\\\\d+)\\\\]`, 'g')":
    'an expression of the contract: by the sandbox and the command-line tool',
  "contract/events/places.ts new RegExp(`(?:${name})(?:\\\\.(?:${name})|\\\\[\\\\d+\\\\])*`, 'g')":
    'an expression of the contract: by the sandbox and the command-line tool',
  "functions/history/opt-out/keyword.ts new RegExp(` (?:${[politeStop, ...wishes].join('|')}) `)":
    'words alone; 1,000 units at most',
  "functions/history/opt-out/keyword.ts new RegExp(`^[${aroundStart}]*(?<start>.*[^${aroundStart}])`, 'su')":
    'begins at the start; matches any text that has a letter, and only such a text is read',
  "functions/history/opt-out/keyword.ts new RegExp(`^(?:(?:${openings.join('|')}) )+`)":
    'no opening begins another; 1,000 units at most',
  "functions/history/opt-out/keyword.ts new RegExp(`^(?:(?:end|quit|cancel|cancelar) ${ofSomething}|${otherSenses.join('|')}) `)":
    'begins at the start; words alone',
  'functions/history/opt-out/own-words.ts /\\p{Extended_Pictographic}[^\\p{L}\\p{N}]*\\p{L}{1,5}[^\\p{L}\\p{N}]*$/u':
    'a text of 60 units at most',
  "functions/history/opt-out/own-words.ts new RegExp(`^(?:${reactionOpenings.join('|')})$`)":
    'begins at the start; a text of 60 units at most',
  'contract/text/json.ts /"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|-?(?:\\d[\\d.]*[eE][+-]?\\d+|\\d[\\d.]{15,})/g':
    'a text that JSON.parse accepts, so every quote has its partner; a number is read twice at most',
  'contract/text/time.ts /(?<=:\\d\\d(?:[.,]\\d+)?|GMT) (?=\\d\\d:?\\d\\d(?: \\(|$))/':
    'looks back from a blank only; a field of 64 units at most',
  'contract/text/time.ts new RegExp(\n  `^(?:[A-Z][a-z]{2}, )?(\\\\d{1,2}) ([A-Z][a-z]{2}) (\\\\d{4}) ${clock} ?(?:(GMT|UTC?|Z)|${offset})$`,\n)':
    'begins at the start, without repetitions',
  'contract/text/time.ts new RegExp(\n  `^(\\\\d{4})-(\\\\d{2})-(\\\\d{2})[Tt ]?${clock}(?:[.,](\\\\d{1,9}))?(?: ?(?:([Zz]|UTC|GMT)|${offset}))?$`,\n)':
    'begins at the start, without repetitions',
  'contract/text/time.ts new RegExp(`^(\\\\d{1,2})\\\\.(\\\\d{1,2})\\\\.(\\\\d{4}),? ${clock}$`)':
    'begins at the start, without repetitions',
  'contract/text/time.ts new RegExp(\n  `^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\\\\d{2}) (\\\\d{4}) ${clock}(?: (?:GMT|UTC)(?:${offset})?)?(?: \\\\([^()]*\\\\))?$`,\n)':
    'begins at the start; a bracket ends the repetition',
  'functions/query/api/mask.ts new RegExp(`^(?:${days})(?:${timeOfDay})?$`)':
    'begins at the start; digits part the repetitions',
  "functions/query/api/routes/routes.ts new RegExp(`^${routes[name].path.replaceAll(/\\{(\\w+)\\}/g, '(?<$1>.+)')}$`, 's')":
    'begins at the start; one open part a path',
  'contract/schema/lookups-schema.ts /\\{([^}]*)\\}/g': 'a path or a parameter of the contract, at synthesis',
  'contract/schema/contract-schema.ts /\\{(?:fields|params|\\w+[^}]*:unique)/': 'the contract, at synthesis',
  'contract/schema/signed-template.ts /\\{([^}]*)\\}/': 'the contract, once',
  'contract/signature/keys.ts /=+$/': "the webhook's secret, which the service made",
  'contract/events/cost-and-route.ts /0+$/': 'at most 179 digits: two parts of 40, and an exponent below 100',
  'contract/signature/hidden-values.ts /"(?:[^"\\\\]|\\\\.)*"(\\s*:)?|-?\\d[\\d.eE+-]*/g':
    'a text that JSON.parse accepts, so every quote has its partner; goes on behind what it looked at',
  'discovery/captured/field-names.ts /\\s*\\n\\s*/': 'our own list of names',
  'contract/phone/mask.ts /(?<![\\p{L}\\p{N}])(?:(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d))?|(?![\\d-]{36})[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}|(?:[A-Z]{2})?(?=[\\da-f]*[a-f])(?![\\da-f]*\\d{10})[\\da-f]{16,})(?![\\p{L}\\p{N}])/u':
    'begins where no letter and no digit is in front, so once for each word, and looks ahead to its end',
  'cli/help/completion.ts / +# Build the command to get completions\\n[\\s\\S]*?out=\\$\\(eval .*\\n/':
    'a script that a library wrote',
  'cli/imports/read-rows.ts /"(?:[^"\\\\]|\\\\.)*"(\\s*:)?/g':
    'a text that JSON.parse accepts, so every quote has its partner',
  "cli/personal-data/number-finder.ts new RegExp(String.raw`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u')":
    'six digits and other characters, as the operator typed them',
  "cli/personal-data/number-finder.ts new RegExp(`${notInsideDigits}(?:${spellings.join('|')})(?!\\\\d)`, 'u')":
    'fails behind fifteen digits at most, with eight characters between two of them',
  "cli/personal-data/number-finder.ts new RegExp(String.raw`\\d(?:${separators}\\d)*`, 'gu')":
    'goes on behind what it looked at, and looks eight characters ahead',
  'cli/target/default-target.ts new RegExp(`^((?!-)[^/\\\\s]*)/((?!-)[a-z0-9-]*)(?:/(${stackPattern}))?$`)':
    'a target that the operator typed',
  'cli/target/default-target.ts new RegExp(`^${stackPattern}$`)': 'a name that the operator typed',
  'cli/target/errors.ts /tunnel to (\\S+) via \\S+: (.*)$/': 'a message of the library for proxies',
  "cli/text/sanitize.ts new RegExp(`${escapes.source}|\\\\r(?!\\\\n)|[^\\\\P{Cc}\\\\t\\\\r\\\\n]`, 'gu')":
    'the first part is judged by itself, and the others are one character',
  'cli/commands/init/init.ts /^-+|-+$/g': 'the name of a folder',
  'discovery/words.ts new RegExp(`${negation}(?:${pattern})`)': 'words without repetitions',
};

interface Pattern {
  /** The file and the pattern. */
  readonly place: string;
  /** Undefined for one that is put together. */
  readonly literal: string | undefined;
}

/** Every literal, and every pattern put together from texts. */
function patterns(): Pattern[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/node_modules|\.test\./.test(file))
    .flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(join(root, file), 'utf8'),
        ts.ScriptTarget.Latest,
      );
      const found: Pattern[] = [];
      const visit = (node: ts.Node): void => {
        const isBuilt = ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp';
        const isLiteral = ts.isRegularExpressionLiteral(node);
        if (isBuilt || isLiteral)
          found.push({
            place: `${file.replaceAll(sep, '/')} ${node.getText(source)}`,
            literal: isLiteral ? node.text : undefined,
          });
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}

const withoutClasses = (pattern: string) => pattern.replace(/\\./g, 'x').replace(/\[(?:\\.|[^\]])*\]/g, 'x');

/**
 * Returns whether a literal repeats a group, or repeats something without a limit and can fail behind it, and begin at many places or repeat twice. The
 * others are linear, and recheck would need half a minute for all.
 */
function isRisky(literal: string): boolean {
  const plain = withoutClasses(literal);
  const endless = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const endsEndless = /(?:[*+]|\{\d+,\})\/[a-z]*$/.test(plain);
  const beginsOnce = plain.startsWith('/^') && !/\/[a-z]*m[a-z]*$/.test(plain);
  const repeatsGroup = /\)(?:[*+]|\{\d*,?\d+\})/.test(plain);
  return repeatsGroup || endless > 1 || (endless === 1 && !beginsOnce && !endsEndless);
}

async function isLinear(literal: string): Promise<boolean> {
  const end = literal.lastIndexOf('/');
  // A busy machine needs more than the ten seconds of the default.
  const options = { timeout: 120_000, randomSeed: 0 };
  const { status } = await check(literal.slice(1, end), literal.slice(end + 1), options);
  return status === 'safe';
}

it('each regular expression needs linear time, or was reviewed', async () => {
  const found = patterns();
  const places = new Set(found.map(({ place }) => place));
  expect(Object.keys(reviewed).filter((place) => !places.has(place))).toEqual([]);
  const toReview: string[] = [];
  for (const { place, literal } of found) {
    if (Object.hasOwn(reviewed, place)) continue;
    if (literal === undefined || (isRisky(literal) && !(await isLinear(literal)))) toReview.push(place);
  }
  expect(toReview).toEqual([]);
});

it.each([
  // Runs over the separators of lines of Unicode.
  String.raw`/^[^\S\r\n]*>.*$/gm`,
  '/^(?:a|aa)+$/',
  '/^(?:a{0,64}){0,64}$/',
])('a pattern that may need more is found: %s', async (literal) => {
  expect([isRisky(literal), await isLinear(literal)]).toEqual([true, false]);
});
