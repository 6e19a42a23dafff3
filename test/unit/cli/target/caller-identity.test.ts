import { expect, it } from 'vitest';
import { callerIdentity } from '../../../../cli/target/caller-identity.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret' };

/** Asks an STS that answers with a text. */
async function ask(answer: () => Response, region = 'eu-west-1') {
  const requests: Request[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    requests.push(new Request(input, init));
    return answer();
  };
  const { person: name, now } = await callerIdentity({
    region,
    credentials,
    fetch,
    clock: () => Date.UTC(2026, 0, 15),
  });
  return { name, now, request: requests[0] };
}

const answerWith = (arn: string) => () =>
  new Response(
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AROAEXAMPLE:ann</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
  );

it('is the end of the ARN that STS answers to a signed request of the region', async () => {
  const { name, request } = await ask(answerWith('arn:aws:sts::123456789012:assumed-role/Support/ann'));
  expect(name).toBe('assumed-role/Support/ann');
  expect(request?.url).toBe(
    'https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15',
  );
  expect(request?.headers.get('authorization')).toMatch(
    /AKIDEXAMPLE\/20260115\/eu-west-1\/sts\/aws4_request/,
  );
  const china = await ask(answerWith('arn:aws-cn:iam::123456789012:user/bo'), 'cn-north-1');
  expect([china.name, new URL(china.request?.url ?? '').host]).toEqual([
    'user/bo',
    'sts.cn-north-1.amazonaws.com.cn',
  ]);
});

it('has what may be a phone number masked', async () => {
  const { name } = await ask(answerWith('arn:aws:sts::123456789012:assumed-role/Support/12025550143'));
  expect(name).toBe('assumed-role/Support/•••0143');
});

it.each([
  ['an error', () => new Response('<Error><Arn>no</Arn></Error>', { status: 403 })],
  ['another form', () => new Response('{}')],
  [
    'no answer',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
])('is unknown after %s', async (_, answer) => {
  expect((await ask(answer)).name).toBeUndefined();
});

it('has the time of AWS, also of an answer that refuses a signature because the clock is wrong', async () => {
  const date = 'Thu, 15 Jan 2026 12:00:05 GMT';
  const refused = () => new Response('<Error/>', { status: 403, headers: { date } });
  expect(await ask(refused)).toMatchObject({ name: undefined, now: Date.UTC(2026, 0, 15, 12, 0, 5) });
  expect((await ask(() => new Response('', { headers: { date: 'soon' } }))).now).toBeUndefined();
});

it('is asked again with the time of AWS, if the clock of this machine is wrong', async () => {
  const date = 'Thu, 15 Jan 2026 12:00:05 GMT';
  const answers = [
    () => new Response('<Error/>', { status: 403, headers: { date } }),
    answerWith('arn:aws:sts::123456789012:assumed-role/Support/ann'),
  ];
  const signed: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    signed.push(new Request(input, init).headers.get('x-amz-date') ?? '');
    return (answers.shift() ?? answerWith(''))();
  };
  const { person } = await callerIdentity({
    region: 'eu-west-1',
    credentials,
    fetch,
    clock: () => Date.UTC(2026, 0, 15, 14),
  });
  expect([person, signed]).toEqual(['assumed-role/Support/ann', ['20260115T140000Z', '20260115T120005Z']]);
});
