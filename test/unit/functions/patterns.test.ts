import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/**
 * Patterns that repeat something without a limit, begin anywhere and can still fail behind it, or repeat twice: the time such
 * a pattern takes may grow with the square of the text, or worse. Each with what keeps it in proportion.
 */
const reviewed: Readonly<Record<string, string>> = {
  'contract/events/source-id.ts /^(?=.{1,30}$)[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/':
    'the name of a source in the app of a developer',
  'functions/base/sms-service/redact.ts /("((?:[^"\\\\]|\\\\.){1,64})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?/g':
    'begins at a short name of a field, and no part can run over what the next one takes',
  'functions/base/sms-service/secret-search.ts /\\\\+(?:u([\\da-f]{4}))?|%([\\da-f]{2})|&(?:#(\\d{1,7})|#x([\\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi':
    'what repeats always matches, and the next match begins behind it',
  'functions/base/sms-service/caller.ts /\\/+$/': "the contract's base URL, once",
  'functions/receive/quarantine/body-of-event.ts /\\[.*$/': 'a step of a path of the contract',
  'functions/receive/quarantine/body-of-event.ts /^[A-Za-z_]\\w*(?:\\[[*]?\\])?(?:\\.[A-Za-z_]\\w*(?:\\[[*]?\\])?)*$/':
    'a path of the contract, by the command-line tool and for a replay',
  'functions/history/history-write-store.ts /#(\\w+)/g': 'our own expression, of a few thousand characters',
  'functions/history/history-write-store.ts /:(\\w+)/g': 'our own expression, of a few thousand characters',
  'functions/history/exporter/table-export-client.ts /\\/export\\/(\\d{10,})-/':
    "begins at the word, in a name of AWS's",
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
  'contract/events/places.ts /[A-Za-z_]\\w*|"[^"\\\\]+"/':
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
  'functions/history/opt-out/own-words.ts /^[^\\S\\r\\n]*>.*$/gm':
    'begins at the start of a line; a sign parts the two repetitions, and neither leaves the line',
  'functions/history/opt-out/own-words.ts /^([^“”„«"]{1,60})[“„«"].*[“”»"][\\s\\p{Cf}]*$/su':
    'begins at the start; only a quotation mark, which ends each part, is tried as the end',
  'functions/history/opt-out/own-words.ts /\\p{Extended_Pictographic}[^\\p{L}\\p{N}]*\\p{L}{1,5}[^\\p{L}\\p{N}]*$/u':
    'a text of 60 units at most',
  "functions/history/opt-out/own-words.ts new RegExp(`^(?:${reactionOpenings.join('|')})$`)":
    'begins at the start; a text of 60 units at most',
  'contract/phone/address.ts /^\\s*\\+?(\\d{7,15})@(?:c\\.us|s\\.whatsapp\\.net)\\s*$/':
    'begins at the start; digits part the two repetitions',
  'contract/phone/phone-key.ts /^(?<digits>\\+?\\d{7,})[.,]0+$/':
    'begins at the start; a separator parts the two repetitions',
  'contract/phone/phone-key.ts /^(?:00[\\s().-]*|\\+)(?<digits>[1-9][\\d\\s().-]*)$/':
    'begins at the start; a digit parts the two repetitions',
  'contract/imports/columns.ts /"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`|[A-Za-z_]\\w*\\s*\\(?|\\|\\||&&|\\[\\?|\\s+|./gs':
    'an expression of a mapping: by the command-line tool',
  'contract/imports/row-reader.ts /^(\\d+)[.,]0+$/':
    'begins at the start; a separator parts the two repetitions',
  'contract/imports/spreadsheet.ts /^[+-]?\\d+(?:[.,]\\d*)?E[+-]?\\d+$/i':
    'begins at the start; a separator or a letter parts the repetitions',
  'contract/imports/spreadsheet.ts /^[+-]?\\d+(?:[.,]\\d*E[+-]?|E[+-])\\d+$/i':
    'begins at the start; a separator or a letter parts the repetitions',
  'contract/imports/spreadsheet.ts /^\\+?\\d{7,}[.,]0+$/':
    'begins at the start; a separator parts the two repetitions',
  'contract/phone/address.ts /^(?:[;?&](?:(?:ext|isub|user|body)=[^;?&=\\s<>"@]*|phone-context=\\+[\\d().-]*))*$/i':
    'each repetition begins with a character that no other part has',
  'contract/phone/address.ts /^(?:\\/\\/)?([^;?]*)(.*)$/s':
    'begins at the start; what follows the first part always matches',
  'contract/phone/address.ts /^\\s*([a-z]+):(.*)$/is': 'begins at the start; a letter parts the repetitions',
  'contract/phone/phone-number.ts /(?:^|<)(\\+[1-9]\\d{6,14})@[^@<>]*>?$/':
    'begins at a bracket, and reads up to the next one',
  'contract/phone/phone-number.ts /^00[\\s().-]*(?<digits>[1-9][\\d\\s().-]*)$/':
    'begins at the start; a digit parts the two repetitions; a field of 64 units at most',
  'contract/phone/phone-number.ts /^\\d([.,]\\d+)?e\\+?\\d+$/i':
    'begins at the start; a letter parts the repetitions',
  'contract/text/json.ts /(?:[:[,]\\s*|^\\s*)-?(?:[\\d.]{16}|\\d[\\d.]{0,15}[eE])/':
    'sixteen digits end the search; blanks follow a sign',
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
  'functions/query/api/routes/parameters.ts /[Tt ][^Tt ]*(?:[Zz]|[+-]\\d\\d:?\\d\\d)$/':
    'cannot run over the place where it could begin again',
  'functions/query/api/masked-ids.ts /(?<=^|[/:~])[\\w-]{43}(?:\\.[\\da-z]+)?$/':
    'begins behind a slash, a colon or a tilde, and reads 43 characters and then up to the next one',
  'functions/query/api/masked-ids.ts /(?<![\\dA-Za-z])(?:[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}|(?:[A-Z]{2})?(?=\\d*[a-f])[\\da-f]{16,})(?![\\dA-Za-z])/g':
    'begins behind what is no letter and no digit, and reads up to the next one, or 36 characters',
  'functions/query/api/masked-ids.ts /(?<=^|[/~])masked-id\\.([\\w-]{22,})$/':
    'begins behind a slash or a tilde, and reads up to the next one',
  'functions/query/api/routes/routes.ts /\\{(\\w+)\\}/g': 'the paths of this pipeline',
  "functions/query/api/routes/routes.ts new RegExp(`^${routes[name].path.replaceAll(/\\{(\\w+)\\}/g, '(?<$1>.+)')}$`, 's')":
    'begins at the start; one open part a path',
  'contract/lookups/lookup-request.ts /\\{(\\w+)\\}/g': 'a path or a parameter of the contract',
  'contract/schema/lookups-schema.ts /\\{([^}]*)\\}/g': 'a path or a parameter of the contract, at synthesis',
  'contract/schema/contract-schema.ts /\\{(?:fields|params|\\w+[^}]*:unique)/': 'the contract, at synthesis',
  'contract/schema/webhook-schema.ts /^[\\w.+-]+\\/[\\w.+-]+(?:;[\\x20-\\x7e]*)?$/':
    'the contract, at synthesis',
  'contract/schema/signed-template.ts /\\{([^}]*)\\}/': 'the contract, once',
  'contract/schema/signed-template.ts /^(?:name(.*?))?value(.*)$/s': 'the contract, once',
  'contract/schema/signed-template.ts /^(form|fields|query|params)((?::(?:unsorted|encoded|unique|underscored))*)(?::(.+))?$/s':
    'the contract, once',
  'contract/signature/keys.ts /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----/':
    "the webhook's secret, which the service made",
  'contract/signature/keys.ts /=+$/': "the webhook's secret, which the service made",
  'contract/events/cost-and-route.ts /0+$/': 'at most 179 digits: two parts of 40, and an exponent below 100',
  'contract/signature/hidden-values.ts /^([^?]*\\?)(.*)$/s':
    'begins at the start; the first part ends at a question mark',
  'contract/signature/keys.ts /---\\s*BEGIN|\\bkty\\b[\\s"\'\\\\]{0,4}:|^\\s*(?:sk-)?(?:ssh|ecdsa)-/i':
    "the webhook's secret, which the service made",
  'contract/signature/hidden-values.ts /"(?:[^"\\\\]|\\\\.)*"(\\s*:)?|-?\\d[\\d.eE+-]*/g':
    'a text that JSON.parse accepts, so every quote has its partner; goes on behind what it looked at',
  'contract/signature/request-reader.ts /^(https?):\\/\\/([^/?#:]+)(:\\d+)?([^?#]*)(?:\\?([^#]*))?$/':
    'begins at the start; each part ends at a character that the next one begins with',
  'contract/signature/signed-content.ts /^(\\w+:\\/\\/([^/?]*))([^?]*)(?:\\?(.*))?/s':
    'begins at the start; each part ends at a character that the next one begins with',
  'functions/automations/delivery-watch/rules/subject.ts /:(.*)/s':
    'its end is that of the text; it begins at the first colon',
  'functions/query/api/caller.ts /^(?:Bearer )?[\\w-]+\\.([\\w-]+)\\.[\\w-]+$/i':
    'begins at the start; a dot, which no part holds, ends each part',
  'functions/query/api/page-headers.ts /^\\/(?:assets\\/[\\w.-]+|[\\w-]+\\.\\w+)$/':
    'begins at the start; a slash decides which part is tried',
  'contract/text/csv.ts /([;\\t\\r\\n]["\\s]*)([=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]?)/g':
    'fits wherever it begins, and goes on after the spaces that it has read',
  'cli/input/capture-file.ts /^(?:#|\\/\\/) *@receivedAt +(\\S+)$/':
    'begins at the start; a word parts the repetitions',
  'cli/input/capture-file.ts /^(?:\\s*$|(?:\\r?\\n)+###)/': 'begins at the start; each part is tried once',
  'cli/input/capture-file.ts /^([A-Z]{1,20}) +(\\S+)(?: +HTTP\\/\\d(?:\\.\\d)?)?$/':
    'begins at the start; blanks part the repetitions',
  "cli/input/capture-file.ts /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):(.*)$/":
    'begins at the start; a colon parts the two repetitions',
  'cli/input/capture-file.ts /at position (\\d+)/': 'a message of JSON.parse',
  "cli/input/curl-captures.ts /\\\\\\r?\\n|\\$'((?:[^'\\\\]|\\\\[\\s\\S])*)'|'([^']*)'|\"((?:[^\"\\\\]|\\\\[\\s\\S])*)\"|\\\\([\\s\\S])|([^\\s'\"\\\\]+)|([ \\t\\r]+)|(\\n)/gy":
    'goes on behind what it read, and ends at a quote without its partner',
  'cli/input/curl-captures.ts /^([^:]+): ?([\\s\\S]*)$/':
    'begins at the start; a colon parts the two repetitions',
  'cli/input/curl-captures.ts /^([^=]*)=([\\s\\S]*)$/':
    'begins at the start; a sign parts the two repetitions',
  'cli/input/curl-captures.ts /^> ([A-Z]{1,20}) (\\S+) HTTP\\/\\d(?:\\.\\d)?\\s*$/':
    'begins at the start; a blank parts the repetitions',
  "cli/input/curl-captures.ts /^> ([A-Za-z0-9!#$%&'*+.^_`|~-]+): ?(.*)$/":
    'begins at the start; a colon parts the two repetitions',
  'cli/input/curl-captures.ts /^[A-Z]{1,20} +\\S+(?: +HTTP\\/\\d(?:\\.\\d)?)?\\s*$/':
    'begins at the start; blanks part the repetitions',
  'discovery/captured/body-kind.ts /(?:^|&)(?:charset|encoding|coding)=([\\w-]+)/i':
    'begins at a word, and nothing behind the repetition can fail',
  'discovery/captured/body-kind.ts /^\\s*--\\S+\\r?\\nContent-Disposition:/i':
    'begins at the start; hyphens part the repetitions',
  'discovery/captured/body-kind.ts /charset="?([\\w-]+)/i':
    'begins at a word, and nothing behind the repetition can fail',
  'discovery/captured/capture.ts /\\?([^#]*)/': 'fits at the first question mark',
  'discovery/captured/columns.ts /^\\d+(?:\\.\\d+)?$/':
    'begins at the start; a dot parts the two repetitions',
  'discovery/captured/field-names.ts /\\s*\\n\\s*/': 'our own list of names',
  'contract/phone/mask.ts /(?<![\\p{L}\\p{N}])(?:(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d))?|(?![\\d-]{36})[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}|(?:[A-Z]{2})?(?=[\\da-f]*[a-f])(?![\\da-f]*\\d{10})[\\da-f]{16,})(?![\\p{L}\\p{N}])/u':
    'begins where no letter and no digit is in front, so once for each word, and looks ahead to its end',
  'functions/query/api/respond.ts /(?:^|,)\\s*gzip\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?=,|$)/i':
    'begins at the start or at a comma, and each run of blanks ends at a word',
  'functions/query/api/respond.ts /(?:W\\/)?("[^"]*")/g': 'a quote that ends one tag does not begin the next',
};

/** Pattern by place: every literal, and every pattern put together from texts. */
function patterns(): { readonly file: string; readonly pattern: string }[] {
  return ['contract', 'functions', 'cli/input', 'discovery/captured']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.startsWith(join('contract', 'discovery')))
    .flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(join(root, file), 'utf8'),
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

it('each regular expression that may need more than linear time was reviewed', () => {
  const risky = patterns().filter(({ pattern }) => needsReview(pattern));
  expect(
    [...new Set(risky.map(({ file, pattern }) => `${file.replaceAll(sep, '/')} ${pattern}`))].sort(),
  ).toEqual(Object.keys(reviewed).sort());
});
