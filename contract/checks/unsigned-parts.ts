import { type Contract, coversBody } from '../schema/contract-schema.ts';
import { type RequestForm, requestForms } from '../schema/request-form.ts';
import { blursValues, isOfQuery, parseTemplate } from '../schema/signed-template.ts';

/** What a signature does not protect. */
export interface UnsignedPart {
  /** The same for the same meaning in every contract: words of lower-case letters with hyphens between them. */
  readonly id: string;
  readonly sentence: string;
}

/** Lists what a contract's signature does not protect, each once. */
export function unsignedParts({
  webhook,
}: {
  readonly webhook: Parameters<typeof requestForms>[0] & Pick<Contract['webhook'], 'reads'>;
}): readonly UnsignedPart[] {
  const unsigned = Object.entries(webhook.reads ?? {}).flatMap(([part, is]) =>
    is === 'unsigned' && webhook.signature.scheme !== 'none' ? [part] : [],
  );
  const ofUrl = unsigned.map(
    (part): UnsignedPart => ({
      id: part,
      sentence: `The contract reads the ${part} of the URL, which is not signed: a sender that has seen one request can send it again with other values there.`,
    }),
  );
  const forms = requestForms(webhook);
  const all = [
    ...forms.flatMap((form) => unsignedPartsOf(form, webhook.reads?.query !== undefined)),
    ...unsignedMethods(forms),
    ...ofUrl,
  ];
  return [...new Map(all.map((part) => [part.id, part])).values()];
}

/** Two kinds of requests with one secret have the same signature if their signed texts are equal. */
function unsignedMethods(forms: readonly RequestForm[]): readonly UnsignedPart[] {
  const saysMethod = ({ signature }: RequestForm) =>
    !('signedContent' in signature) || signature.signedContent.includes('{method}');
  if (forms.length === 1 || forms.every(saysMethod)) return [];
  return [
    {
      id: 'forms',
      sentence:
        'The signature does not cover whether a request is a GET or a POST. A person who chooses the text of a reply, and then sees its signed request, can send it as one of the other kind, in which its text holds other fields, such as another sender.',
    },
  ];
}

function unsignedPartsOf(
  { signature, method, bodyFormat }: RequestForm,
  readsQuery: boolean,
): readonly UnsignedPart[] {
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
  const blurs = lists.some(
    (list) => blursValues(list) || (bodyFormat === 'json' && ['fields', 'params'].includes(list.source)),
  );
  if (blurs)
    found.push({
      id: 'parameter-ends',
      sentence:
        'The signature does not cover where a parameter begins and ends. A person who chooses the text of a reply, and then sees its signed request, can cut it into other parameters, such as the sender of another reply.',
    });
  // A parameter with open ends can be repeated as well.
  if (
    !blurs &&
    lists.some(
      ({ flags, source }) =>
        flags.includes('unique') && (source !== 'query' || method === 'GET' || readsQuery),
    )
  )
    found.push({
      id: 'repeated-parameters',
      sentence:
        'The signature counts an equal parameter once, so a sender that has seen one request can repeat a parameter: events then read a list in its place, which may have one text twice or be unreadable.',
    });
  const isParams = (part: (typeof placeholders)[number]) =>
    part?.kind === 'list' && part.list.source === 'params';
  if (
    method === 'POST' &&
    placeholders.some(isParams) &&
    !placeholders.some((part) => isOfQuery(part) && !isParams(part))
  )
    found.push({
      id: 'parameter-places',
      sentence:
        'The signature does not cover whether a parameter is in the URL or in the body. A sender that has seen one request can move a value from the body to the URL, so that events lack it.',
    });
  if (signature.scheme === 'hash' && placeholders.at(-1)?.kind !== 'secret')
    found.push({
      id: 'hash-end',
      sentence:
        'The signature is a plain hash that does not end with the secret: bytes can be added behind what it covers (length extension).',
    });
  if (signature.timestamp === null && !coversBody(signature, method))
    found.push({
      id: 'time',
      sentence: 'The signature covers no time, so it can be used again at any time.',
    });
  return found;
}
