import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const functions = join(import.meta.dirname, '../../../functions');

/**
 * Patterns that repeat something without a limit, begin anywhere and can still fail behind it, or repeat twice: the time such
 * a pattern takes may grow with the square of the text, or worse. Each with what keeps it in proportion.
 */
const reviewed: Readonly<Record<string, string>> = {
  'adapters/sms-service/redact.ts /("(?:secret|token|access_token|refresh_token)"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?/gi':
    'begins at the name of a field, and no part can run over what the next one takes',
  'adapters/sms-service/session.ts /\\/+$/': "the contract's base URL, once",
  'adapters/table-export.ts /\\/export\\/(\\d{10,})-/': "begins at the word, in a name of AWS's",
  'core/alerts/mask-digits.ts /\\p{N}(?:[^\\p{L}\\p{N}]*\\p{N})*/gu':
    'goes on behind what it looked at; texts of errors have 1,024 units at most',
  'core/contract/near-paths.ts /"([^"\\\\]+)"|([A-Za-z_]\\w*)(?!\\w|\\s*\\()/g':
    'an expression of the contract, in the command-line tool',
  "core/contract/near-paths.ts /'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`/g":
    'an expression of the contract, in the command-line tool',
  'core/contract/signature-schema.ts /\\{([^}]*)\\}/': 'the contract, at synthesis',
  'core/contract/signature-schema.ts /\\{([^}]*)\\}/g': 'the contract, at synthesis',
  "core/events/places.ts /'(?:[^'\\\\]|\\\\.)*'|`[^`]*`/g":
    'an expression of the contract: by the sandbox and the command-line tool',
  'core/events/places.ts /[A-Za-z_]\\w*\\s*\\(/g':
    'an expression of the contract: by the sandbox and the command-line tool',
  'core/events/places.ts /[A-Za-z_]\\w*|"[^"\\\\]+"/':
    'an expression of the contract: by the sandbox and the command-line tool',
  "core/events/places.ts new RegExp(`(${name})|\\\\[(\\\\d+)\\\\]`, 'g')":
    'an expression of the contract: by the sandbox and the command-line tool',
  "core/events/places.ts new RegExp(`(?:${name})(?:\\\\.(?:${name})|\\\\[\\\\d+\\\\])*`, 'g')":
    'an expression of the contract: by the sandbox and the command-line tool',
  "core/opt-out/may-mean-stop.ts new RegExp(` (?:${wishes.join('|')}) `)": 'words alone; 1,000 units at most',
  "core/opt-out/may-mean-stop.ts new RegExp(`^(?:(?:${openings.join('|')}) )+`)":
    'no opening begins another; 1,000 units at most',
  'core/opt-out/may-mean-stop.ts new RegExp(`^(?:(?:end|quit|cancel|cancelar) ${ofSomething}|quit smoking|stop by) `)':
    'begins at the start; words alone',
  "core/personal-data/number-finder.ts new RegExp(String.raw`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u')":
    'a fixed text',
  "core/personal-data/number-finder.ts new RegExp(`${notInsideDigits}(?:${spellings.join('|')})(?!\\\\d)`, 'u')":
    'eight separators at most between two digits of a number',
  'core/phone-key.ts /^(?:00[\\s().-]*|\\+)(?<digits>[1-9][\\d\\s().-]*)$/':
    'begins at the start; a digit parts the two repetitions',
  'core/phone.ts /^(?:(?<prefix>00)[\\s().-]*)?(?<digits>[1-9][\\d\\s().-]*)$/':
    'begins at the start; a digit parts the two repetitions; a field of 64 units at most',
  'core/query/parameters.ts /[Tt ][^Tt ]*(?:[Zz]|[+-]\\d\\d:?\\d\\d)$/':
    'cannot run over the place where it could begin again',
  'core/query/path.ts /\\{(\\w+)\\}/g': 'the paths of this pipeline',
  "core/query/path.ts new RegExp(`^${routes[name].path.replaceAll(/\\{(\\w+)\\}/g, '(?<$1>.+)')}$`, 's')":
    'begins at the start; one open part a path',
  'core/signature/signed-content.ts /\\{([^}]*)\\}/': 'the contract, once',
  'core/signature/signed-content.ts /\\{header:([^}]*)\\}/g': 'the contract, once',
  'core/signature/signing-key.ts /=+$/': "the webhook's secret, which the service made",
  'query/entity-tag.ts /(?:W\\/)?("[^"]*")/g': 'a quote that ends one tag does not begin the next',
};

/** Pattern by place: every literal, and every pattern put together from texts. */
function patterns(): { readonly file: string; readonly pattern: string }[] {
  return readdirSync(functions, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(join(functions, file), 'utf8'),
        ts.ScriptTarget.Latest,
      );
      const found: { file: string; pattern: string }[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) found.push({ file, pattern: node.text });
        const isBuilt = ts.isNewExpression(node) && node.expression.getText(source) === 'RegExp';
        if (isBuilt) found.push({ file, pattern: node.getText(source) });
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}

const withoutClasses = (pattern: string) => pattern.replace(/\\./g, 'x').replace(/\[(?:\\.|[^\]])*\]/g, 'x');

function needsReview(pattern: string): boolean {
  if (pattern.startsWith('new RegExp')) return true;
  const plain = withoutClasses(pattern.replace(/\\./g, 'x'));
  const endless = plain.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const endsEndless = /(?:[*+]|\{\d+,\})\/[a-z]*$/.test(plain);
  return endless > 1 || (endless === 1 && !plain.startsWith('/^') && !endsEndless);
}

it('each pattern that could take more than its text is long was looked at', () => {
  const risky = patterns().filter(({ pattern }) => needsReview(pattern));
  expect(
    [...new Set(risky.map(({ file, pattern }) => `${file.replaceAll(sep, '/')} ${pattern}`))].sort(),
  ).toEqual(Object.keys(reviewed).sort());
});
