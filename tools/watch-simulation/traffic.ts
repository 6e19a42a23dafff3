import { randomLogNormal, randomNormal, randomPoisson } from 'd3-random';
import { type Country, expectedPerMinute, reasons } from '../../local/sample/traffic/traffic-shape.ts';
import { effectOf, type Incident } from './incidents.ts';

/** A message and what becomes of it. Times are seconds since the start of the simulation. */
export interface SimulatedMessage {
  readonly reportedAt: number;
  readonly endsAt: number;
  /** Undefined where it is delivered. */
  readonly failure: string | undefined;
  /** The send that it belongs to; undefined for a single message. */
  readonly send: SimulatedSend | undefined;
}

/** A bulk send to one country. */
export interface SimulatedSend {
  readonly id: string;
  /** Whether its list of numbers is bad. */
  readonly isBad: boolean;
  /** The factor of its time to delivery. */
  readonly slower: number;
}

/** A bulk send of one country that is under way, or the single messages of a country (`left` without end). */
interface Source {
  readonly send: SimulatedSend | undefined;
  left: number;
  readonly perMinute: number;
  /** What the quality of its numbers adds to the log odds of delivery. */
  readonly quality: number;
  /** The factor of its time to delivery. */
  readonly slower: number;
  readonly mix: readonly number[];
}

/** This share of the messages belongs to sends; the others are single messages, such as codes and reminders. */
const sentInBulk = 0.4;

/** Sends differ in the quality of their numbers; a few have a bad list. Log odds. */
const sendQuality = { deviation: 0.3, badShare: 0.02, bad: -0.7 };

/** The quality of single messages wanders within hours. Log odds, and the share that is left after a minute. */
const wander = { deviation: 0.1, kept: 0.997 };

/** Times to an outcome: deviation of the logarithm; a few deliveries wait until the phone is on again. Seconds. */
const times = { deviation: 0.8, ofSend: 0.15, slowShare: 0.03, slow: 900, slowDeviation: 1 };

export interface CountryTraffic {
  /** Returns the messages of the next minute. */
  next(): SimulatedMessage[];
}

/** Simulates the messages to a country, minute after minute: single messages at random times, and sends that last minutes. */
export function simulateCountry(
  country: Country,
  incidents: readonly Incident[],
  random: () => number,
): CountryTraffic {
  const normal = randomNormal.source(random)();
  const poisson = randomPoisson.source(random);
  const meanSize = Math.max(country.perDay / 25, 150);
  // The mean of a lognormal distribution with deviation 1 is e^0.5 of its median.
  const sizeOfSend = randomLogNormal.source(random)(Math.log(meanSize) - 0.5, 1);
  let minute = -1;
  let singleQuality = 0;
  let sends: Source[] = [];
  let sendCount = 0;

  function newSend(): Source {
    const size = Math.ceil(sizeOfSend());
    const isBad = random() < sendQuality.badShare;
    const perMinute = size / (5 + 40 * random());
    const quality = sendQuality.deviation * normal() + (isBad ? sendQuality.bad : 0);
    const slower = Math.exp(times.ofSend * normal());
    sendCount += 1;
    return {
      send: { id: `${country.code}-${sendCount}`, isBad, slower },
      left: size,
      perMinute,
      quality,
      slower,
      mix: reasons.map(({ share }) => share * Math.exp(0.4 * normal())),
    };
  }

  function messageOf(source: Source): SimulatedMessage {
    const effect = effectOf(incidents, country.code, minute);
    const reportedAt = (minute + random()) * 60;
    const { send } = source;
    const odds = Math.log(country.rate / (1 - country.rate)) + source.quality;
    if (random() < effect.lost) {
      const failure = effect.reason ?? pick(source.mix);
      return { reportedAt, endsAt: reportedAt + timeToFailure(failure), failure, send };
    }
    if (random() < 1 / (1 + Math.exp(-odds))) {
      const isSlow = random() < times.slowShare;
      const [typical, deviation] = isSlow
        ? [times.slow, times.slowDeviation]
        : [country.seconds, times.deviation];
      const seconds = typical * source.slower * effect.slower * Math.exp(deviation * normal());
      return { reportedAt, endsAt: reportedAt + seconds, failure: undefined, send };
    }
    const failure = pick(source.mix);
    return { reportedAt, endsAt: reportedAt + timeToFailure(failure), failure, send };
  }

  function pick(mix: readonly number[]): string {
    let left = random() * mix.reduce((sum, share) => sum + share, 0);
    const index = mix.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    return reasons[index]?.reason ?? 'unknown';
  }

  function timeToFailure(reason: string): number {
    if (reason === 'expired') return 24 * 3600;
    if (reason === 'unreachable') return 300 * Math.exp(1.5 * normal());
    return 4 * Math.exp(0.8 * normal());
  }

  return {
    next() {
      minute += 1;
      const expected = expectedPerMinute(country, minute);
      singleQuality =
        wander.kept * singleQuality + wander.deviation * Math.sqrt(1 - wander.kept ** 2) * normal();
      const single: Source = {
        send: undefined,
        left: Number.POSITIVE_INFINITY,
        perMinute: expected * (1 - sentInBulk),
        quality: singleQuality,
        slower: 1,
        mix: reasons.map(({ share }) => share),
      };
      const begin = poisson((expected * sentInBulk) / meanSize)();
      sends.push(...Array.from({ length: begin }, newSend));
      const messages: SimulatedMessage[] = [];
      for (const source of [single, ...sends]) {
        const count = Math.min(poisson(source.perMinute)(), source.left);
        source.left -= count;
        for (let index = 0; index < count; index += 1) messages.push(messageOf(source));
      }
      sends = sends.filter(({ left }) => left > 0);
      return messages;
    },
  };
}
