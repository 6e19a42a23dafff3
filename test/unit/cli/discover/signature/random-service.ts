import type { Capture } from '../../../../../cli/capture.ts';
import { createRandom, shuffled } from '../../../../../local/sms-service/random.ts';
import { type Draw, drawFrom, word } from './draw.ts';
import { jwtService } from './jwt-service.ts';
import { noiseHeaders } from './noise-headers.ts';
import type { Change, SigningStyle } from './signing-style.ts';
import { textService } from './text-service.ts';
import { tokenService } from './token-service.ts';

export interface RandomService extends SigningStyle {
  readonly capture: (number: number, change?: Change) => Capture;
}

/** A service that signs somehow, the same for the same number. */
export function randomService(seed: number): RandomService {
  const random = createRandom(seed * 7919 + 1);
  const draw = drawFrom(random);
  const style = draw([textService, textService, textService, textService, jwtService, tokenService])(draw);
  const noise = noiseHeaders(draw);
  const keepsTime = draw([true, true, true, false]);
  const path = `/hooks/${word(draw, 8)}${draw(['', '?source=sms&v=2'])}`;
  return {
    ...style,
    capture: (number, change) => capture(style, { seed, noise, keepsTime, path }, number, change),
  };
}

function capture(
  style: SigningStyle,
  setting: {
    readonly seed: number;
    readonly noise: (draw: Draw) => Readonly<Record<string, string>>;
    readonly keepsTime: boolean;
    readonly path: string;
  },
  number: number,
  change: Change | undefined,
): Capture {
  const random = createRandom(setting.seed * 7919 + 100 + number);
  const draw = drawFrom(random);
  const at = Date.UTC(2026, 0, 15, 12) + number * 61_007 + draw([0, 137, 904]);
  const id = word(draw, 20);
  const url = `https://hooks.example.test${setting.path}`;
  const body = Buffer.from(bodyOf(style.isForm, number, id, at));
  const unsigned = { body, url, at, id, nonce: word(draw, 16) };
  const headers = { ...setting.noise(draw), ...style.sign(unsigned, change) };
  return {
    name: `request ${number}`,
    method: 'POST',
    url: change === 'url' ? `${url}#` : url,
    headers: Object.fromEntries(shuffled(Object.entries(headers), random)),
    body: change === 'body' ? Buffer.from(body.toString().replace('delivered', 'failed')) : body,
    ...(setting.keepsTime ? { receivedAt: new Date(at + 1400).toISOString() } : {}),
    ...(style.masked ? { masked: true } : {}),
  };
}

function bodyOf(isForm: boolean, number: number, id: string, at: number): string {
  const fields = {
    To: `+120255501${10 + number}`,
    MessageId: id.toUpperCase(),
    Status: 'delivered',
    At: new Date(at).toISOString(),
  };
  return isForm
    ? String(new URLSearchParams(fields))
    : JSON.stringify({ type: 'sms.status', data: { ...fields, attempt: number } });
}
