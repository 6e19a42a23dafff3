import { type Contract, coversBody } from '../schema/contract-schema.ts';
import { type RequestForm, requestForms } from '../schema/request-form.ts';
import { type ParameterList, parseTemplate } from '../schema/signed-template.ts';

/** What a signature does not protect. */
export interface UnsignedPart {
  /** The same for the same meaning in every contract: words of lower-case letters with hyphens between them. */
  readonly id: string;
  readonly sentence: string;
}

/** Lists what a contract's signature does not protect, each once. */
export function unsignedParts({ webhook }: Pick<Contract, 'webhook'>): readonly UnsignedPart[] {
  const unsigned = Object.entries(webhook.reads ?? {}).flatMap(([part, is]) =>
    is === 'unsigned' && webhook.signature.scheme !== 'none' ? [part] : [],
  );
  const ofUrl = unsigned.map(
    (part): UnsignedPart => ({
      id: part,
      sentence: `The contract reads the ${part} of the URL, which is not signed: a sender that has seen one request can send it again with other values there.`,
    }),
  );
  const all = [...requestForms(webhook).flatMap(unsignedPartsOf), ...ofUrl];
  return [...new Map(all.map((part) => [part.id, part])).values()];
}

function unsignedPartsOf({ signature, method }: RequestForm): readonly UnsignedPart[] {
  const found: UnsignedPart[] = [];
  if (signature.scheme === 'none') return found;
  if (signature.scheme === 'token') {
    if (signature.header !== undefined) return found;
    const place = signature.query === undefined ? 'body' : 'URL';
    return [
      {
        id: `secret-in-${place.toLowerCase()}`,
        sentence: `Requests carry the secret itself in the ${place}, and nothing is signed: neither the body nor the time. A reader of one request, or of a log on its way, can write history until the secret is changed.`,
      },
    ];
  }
  if (!coversBody(signature, method))
    found.push({
      id: 'body',
      sentence:
        'The signature covers no part of the body: a sender that has seen one request can forge any report, reply and opt-out with its signature, as long as the signature is accepted.',
    });
  if (!('signedContent' in signature)) return found;
  const { placeholders } = parseTemplate(signature.signedContent);
  const lists = placeholders.flatMap((part) => (part?.kind === 'list' ? part.list : []));
  if (lists.some(({ between }) => between === undefined))
    found.push({
      id: 'parameter-names',
      sentence:
        'The signature covers the values of parameters and not their names, so a value can be moved to another name.',
    });
  if (lists.some(blursValues))
    found.push({
      id: 'parameter-ends',
      sentence:
        'The signature does not cover where a parameter begins and ends. A person who chooses the text of a reply, and then sees its signed request, can cut it into other parameters, such as the sender of another reply.',
    });
  if (
    signature.scheme === 'hash' &&
    placeholders[0]?.kind === 'secret' &&
    placeholders.at(-1)?.kind !== 'secret'
  )
    found.push({
      id: 'hash-end',
      sentence:
        'The signature is a plain hash that begins with the secret: bytes can be added behind what it covers (length extension).',
    });
  if (signature.timestamp === null && !coversBody(signature, method))
    found.push({
      id: 'time',
      sentence: 'The signature covers no time, so it can be used again at any time.',
    });
  return found;
}

/** Reports whether a value may hold the text that separates parameters. Such values are no reason to reject a request: a text may hold any character. */
function blursValues({ between, after, flags }: ParameterList): boolean {
  if (between === undefined) return after === '';
  const isFreeOfSeparators = flags.includes('encoded') || flags.includes('underscored');
  return !isFreeOfSeparators || [between, after].some((separator) => !['=', '&'].includes(separator));
}
