/** Rewrites of modules of the AWS SDK that mean the same in fewer bytes. Each gives the text back as it was where nothing fits. */

/** Of a manifest the SDK reads the version alone, for the user agent. */
export function versionAlone(manifest: string): string {
  const { version } = JSON.parse(manifest);
  return JSON.stringify({ version });
}

/**
 * Writes out the keys `[_xN]:` of schemas, which are constants of the same file: esbuild takes a computed key for something that might have an
 * effect, and keeps the schemas of every operation for it.
 */
export function literalKeys(schemas: string): string {
  const texts = new Map<string, string>();
  for (const [, name = '', text = ''] of schemas.matchAll(/^const (\w+) = ("[^"]*");$/gm))
    texts.set(name, text);
  return schemas.replace(/\[(\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key));
}

/** An error class as code generation writes it: 1 its name, 2 its shape, 3 whose fault, 4 its fields. */
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

/** Makes the error classes of a service, which differ in name, fault and fields, by one function; a class that has more stays. */
export function errorClassesByFunction(errors: string): string {
  const rewritten = errors.replace(errorClass, (_, name, shapeId, fault, fields) => {
    const names = JSON.stringify(fields.match(/\w+/g) ?? []);
    return `export const ${name} = /* @__PURE__ */ errorClass("${name}", ${fault}, ${shapeId}, ${names});`;
  });
  return rewritten === errors ? errors : rewritten + errorClassMaker;
}

/** A region of a partition's table whose name the partition's expression fits anyway; all it adds is a description. */
const ordinaryRegion = /"[a-z]+(?:-[a-z]+)+-\d+": \{\s*"description": "[^"]*"\s*\},?/g;

/** Leaves the regions out of the table of partitions that a region's name alone tells, and descriptions. */
export function partitionsAlone(partitions: string): string {
  return partitions.replace(ordinaryRegion, '').replace(/"description": "[^"]*"/g, '');
}

/**
 * Puts other text in the place of methods of a class.
 *
 * @param replacements by the method's name; the text is the whole method, or nothing
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
