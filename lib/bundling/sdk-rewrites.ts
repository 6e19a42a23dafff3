/** Rewrites of modules of the AWS SDK that mean the same in fewer bytes. Each returns the text unchanged if nothing matches. */

/** Reduces a manifest to its version, the only field that the SDK reads, for the user agent. */
export function versionAlone(manifest: string): string {
  const { version } = JSON.parse(manifest);
  return JSON.stringify({ version });
}

/**
 * Writes out the keys `[_xN]:` of schemas, which are constants of the same file: esbuild assumes that a computed key may have a side
 * effect, and therefore keeps the schemas of every operation.
 */
export function literalKeys(schemas: string): string {
  const texts = new Map<string, string>();
  for (const [, name = '', text = ''] of schemas.matchAll(/^const (\w+) = ("[^"]*");$/gm))
    texts.set(name, text);
  return schemas.replace(/\[(\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key));
}

/** An error class as the SDK's code generation writes it: 1 its name, 2 its shape, 3 its fault, 4 its fields. */
const errorClass =
  /export class (\w+) extends __BaseException \{\s+static shapeId = ("[^"]+");\s+name = "\1";\s+\$fault = ("\w+");\s+((?:\w+;\s+)*)constructor\(opts\) \{\s+super\(\{\s+name: "\1",\s+\$fault: \3,\s+\.\.\.opts,?\s+\}\);\s+Object\.setPrototypeOf\(this, \1\.prototype\);\s+(?:this\.(\w+) = opts\.\5;\s+)*\}\s+\}/g;

const errorClassMaker = `
function errorClass(name, $fault, shapeId, fields) {
  const made = class extends __BaseException {
    static shapeId = shapeId;
    name = name;
    $fault = $fault;
    constructor(opts) {
      super({ name, $fault, ...opts });
      Object.setPrototypeOf(this, made.prototype);
      for (const field of fields) this[field] = opts[field];
    }
  };
  return made;
}`;

/** Makes the error classes of a service, which differ in name, fault and fields, with one function; a class with more is kept. */
export function errorClassesByFunction(errors: string): string {
  const rewritten = errors.replace(errorClass, (_, name, shapeId, fault, fields) => {
    const names = JSON.stringify(fields.match(/\w+/g) ?? []);
    return `export const ${name} = /* @__PURE__ */ errorClass("${name}", ${fault}, ${shapeId}, ${names});`;
  });
  return rewritten === errors ? errors : rewritten + errorClassMaker;
}

/** A region of a partition's table whose name the partition's expression matches anyway; it only adds a description. */
const ordinaryRegion = /"[a-z]+(?:-[a-z]+)+-\d+": \{\s*"description": "[^"]*"\s*\},?/g;

/** Removes descriptions from the table of partitions, and the regions that the partition's expression matches anyway. */
export function partitionsAlone(partitions: string): string {
  return partitions.replace(ordinaryRegion, '').replace(/"description": "[^"]*"/g, '');
}

/**
 * Replaces methods of a class.
 *
 * @param replacements the whole new method by name, or an empty text
 */
export function withMethods(module: string, replacements: Readonly<Record<string, string>>): string {
  let text = module;
  for (const [name, replacement] of Object.entries(replacements)) {
    const method = new RegExp(`^ {4}(?:async )?${name}\\([\\s\\S]*?^ {4}\\}$`, 'm');
    if (!method.test(text)) return module;
    text = text.replace(method, () => replacement);
  }
  return text;
}
