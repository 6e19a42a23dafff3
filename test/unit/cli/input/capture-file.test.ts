import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaptureFile } from '../../../../cli/input/capture-file.ts';
import { temporaryFiles } from '../support/temporary-directory.ts';

const path = temporaryFiles()('capture', '');

function read(content: string | Uint8Array) {
  writeFileSync(path, content);
  return readCaptureFile(path);
}

const problem = (content: string) =>
  read(content).then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : ''),
  );

const bodies = (content: string | Uint8Array) =>
  read(content).then((captures) => captures.map(({ body }) => Buffer.from(body).toString()));

const head = 'POST /webhooks/sms?a=1 HTTP/1.1\nHost: hooks.example.com\n';

describe('a file with raw requests', () => {
  it('is read with CRLF or LF', async () => {
    const text = `${head}Content-Type: application/json\nX-Signature:  abc== \n\n{"a":\n 1}\n`;
    const [lf] = await read(text);
    expect(lf).toEqual({
      name: `${path}, request 1`,
      method: 'POST',
      url: 'https://hooks.example.com/webhooks/sms?a=1',
      headers: { Host: 'hooks.example.com', 'Content-Type': 'application/json', 'X-Signature': 'abc==' },
      body: Buffer.from('{"a":\n 1}'),
    });
    const [crlf] = await read(text.replaceAll('\n', '\r\n'));
    expect(crlf).toEqual({ ...lf, body: Buffer.from('{"a":\r\n 1}') });
  });

  it('keeps every byte of a body but one last line break', async () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0x0d, 0x0a, 0xc3);
    const [capture] = await read(Buffer.concat([Buffer.from(`${head}\n`), bytes]));
    expect(capture?.body).toEqual(Buffer.from(bytes));
    expect(await bodies(`${head}\nx\n\n`)).toEqual(['x\n']);
    expect(await bodies(`${head}\n\n`)).toEqual(['']);
    expect(await bodies(head)).toEqual(['']);
  });

  it('ends a body at its Content-Length', async () => {
    expect(await bodies(`${head}Content-Length: 2\n\nx\n`)).toEqual(['x\n']);
    expect(await bodies(`${head}Content-Length: 1\n\nx\n\n`)).toEqual(['x']);
    expect(await bodies(`${head}Content-Length: 6\n\nx\n###y\n###\n${head}\nz`)).toEqual(['x\n###y', 'z']);
    expect(await problem(`${head}Content-Length: 5\n\nabc`)).toMatch(
      /request 1, line 5: Content-Length is 5/,
    );
    const unread = await problem(`${head}Content-Length: a secret\n\nabc`);
    expect(unread).toMatch(/Content-Length is not a number of bytes\. (?!.*a secret)/);
    expect(await problem(`${head}Content-Length: 1\n\nabc`)).toContain('was the file edited?');
  });

  it('may hold several requests, comments and receipt times', async () => {
    const captures = await read(
      `# by hand\n// @receivedAt 2026-01-15T13:00:05+01:00\n${head}\none\n\n### two\n\n${head}\ntwo\n###\n`,
    );
    expect(captures).toMatchObject([
      { receivedAt: '2026-01-15T12:00:05.000Z', body: Buffer.from('one\n') },
      { body: Buffer.from('two') },
    ]);
    expect(captures[1]).not.toHaveProperty('receivedAt');
  });

  it('accepts a URL in the request line, one over HTTP, and repeated headers', async () => {
    const [whole] = await read('PUT http://127.0.0.1:8080/x\nA: 1\na: 2\n\n');
    expect(whole).toMatchObject({ method: 'PUT', url: 'http://127.0.0.1:8080/x', headers: { A: '1,2' } });
    const [plain] = await read(`${head}X-Forwarded-Proto: http\n\n`);
    expect(plain?.url).toBe('http://hooks.example.com/webhooks/sms?a=1');
  });

  it.each([
    ['', 'no request found'],
    ['# nothing\n', 'no request found'],
    ['hello', 'request 1, line 1: expected a request line such as'],
    [`${head}\nx\n###\n\nhello +12025550143\n`, 'request 2, line 7: expected a request line such as'],
    ['POST /x HTTP/1.1\n\n', 'request 1, line 1: expected a URL, or a path and a header Host'],
    [`${head}no colon\n\n`, 'request 1, line 3: expected a header such as'],
    [`${head}Transfer-Encoding: chunked\n\n1\nx\n0\n`, 'is chunked'],
    [`# @receivedAt yesterday\n${head}\n`, 'line 1: @receivedAt: expected a time such as'],
  ])('is rejected with the line: case %#', async (content, message) => {
    const said = await problem(content);
    expect(said).toContain(message);
    expect(said).not.toContain('5550143');
  });
});

describe('a file with JSON', () => {
  const one = { url: 'https://hooks.example.com/x', headers: { A: ['1', '2'] }, body: '{"a": 1}' };

  it('holds a request or a list of them', async () => {
    expect(await read(JSON.stringify(one))).toEqual([
      {
        name: `${path}, request 1`,
        method: 'POST',
        url: 'https://hooks.example.com/x',
        headers: { A: '1,2' },
        body: Buffer.from('{"a": 1}'),
      },
    ]);
    const { body, ...rest } = one;
    const second = {
      ...rest,
      bodyBase64: '/wA=',
      receivedAt: '2026-01-15T12:00:05Z',
      masked: true,
      id: 'q1',
    };
    expect((await read(` ${JSON.stringify([one, second])}`))[1]).toMatchObject({
      body: Buffer.from([0xff, 0]),
      receivedAt: '2026-01-15T12:00:05.000Z',
      masked: true,
      id: 'q1',
    });
  });

  it.each([
    [{ ...one, body: { a: 1 } }, 'request 1, body: expected the body as text, exactly as received'],
    [{ ...one, body: ['+12025550143'] }, 'request 1, body: expected the body as text'],
    [[one, { ...one, bodyBase64: '' }], 'request 2, body: expected either "body" or "bodyBase64"'],
    [{ ...one, url: '/x' }, 'request 1, url: expected a URL, or a path and a header Host'],
    [{ ...one, receivedAt: 'now' }, 'request 1, receivedAt: expected a time'],
    [{ ...one, headers: { a: 1 } }, 'request 1, headers.a: expected a text or a list of texts'],
    [[], 'the list is empty'],
    [[1], 'request 1, as a whole: '],
  ])('is rejected with the key: case %#', async (json, message) => {
    const said = await problem(JSON.stringify(json));
    expect(said).toContain(message);
    expect(said).not.toContain('5550143');
  });

  it('is rejected without its content when it is not JSON', async () => {
    const said = await problem('{\n"to": "+12025550143",}');
    expect(said).toMatch(/: not JSON/);
    expect(said).not.toContain('5550143');
  });
});

describe('a file of another tool', () => {
  const body = '{"to":"+12025550143","text":"it\\u0027s ä"}';
  const expected = {
    method: 'POST',
    url: 'https://hooks.example.com/x?a=1',
    headers: expect.objectContaining({ 'X-Signature': 'abc' }),
    body: Buffer.from(body),
  };
  const time = '2026-01-15T12:00:05.000Z';
  const har = (request: object) => ({
    log: { version: '1.2', entries: [{ startedDateTime: '2026-01-15T13:00:05+01:00', request }] },
  });
  const har1 = {
    method: 'POST',
    url: expected.url,
    headers: [
      { name: ':method', value: 'POST' },
      { name: 'X-Signature', value: 'abc' },
    ],
    postData: { mimeType: 'application/json', text: body },
  };
  const raw = (text: string, length: number) =>
    Buffer.from(
      `POST /x?a=1 HTTP/1.1\r\nHost: hooks.example.com\r\nContent-Length: ${length}\r\n\r\n${text}`,
    );
  const ngrok = (text: string, length = Buffer.byteLength(text)) => ({
    uri: '/api/requests/http',
    requests: [
      {
        id: 'airt_1',
        start: '2026-01-15T13:00:05+01:00',
        request: {
          method: 'POST',
          uri: '/x?a=1',
          headers: {
            Host: ['hooks.example.com'],
            'X-Signature': ['abc'],
            'Content-Length': [String(length)],
          },
          raw: raw(text, length).toString('base64'),
        },
      },
    ],
  });
  const site = {
    data: [
      {
        uuid: 'a-b',
        type: 'web',
        method: 'POST',
        url: expected.url,
        headers: { 'X-Signature': ['abc'] },
        content: body,
        created_at: '2026-01-15 12:00:05',
      },
    ],
  };

  it.each([
    ['HAR', har(har1)],
    ['ngrok', ngrok(body)],
    ['one request of ngrok', ngrok(body).requests[0]],
    ['webhook.site', site],
    ['one request of webhook.site', site.data[0]],
  ])('%s is read, with its time', async (_, json) => {
    expect(await read(JSON.stringify(json))).toEqual([
      { ...expected, name: `${path}, request 1`, receivedAt: time },
    ]);
  });

  it('HAR: pages without a body count only where no request has one, and then those with a query', async () => {
    const page = { method: 'GET', url: 'https://hooks.example.com/', headers: [] };
    const two = har(har1);
    two.log.entries.push(...har(page).log.entries);
    expect(await read(JSON.stringify(two))).toHaveLength(1);
    const query = har({ ...page, url: 'https://hooks.example.com/dlr?status=ok' });
    expect(await read(JSON.stringify(query))).toMatchObject([{ method: 'GET', body: Buffer.alloc(0) }]);
    expect(await problem(JSON.stringify(har(page)))).toContain(
      'the export holds none with a body or a query',
    );
  });

  it('a body that ngrok cut is rejected', async () => {
    expect(await problem(JSON.stringify(ngrok('{"to":"+1202555', 500)))).toMatch(
      /request 1: the body has 15 bytes(?!.*1202555)/,
    );
  });

  const printed = `* Connected to hooks.example.com
> POST /x?a=1 HTTP/1.1
> Host: hooks.example.com
> X-Signature: abc
> Content-Length: ${Buffer.byteLength(body)}
>
* upload completely sent off
< HTTP/1.1 200 OK
<
ok
`;
  const url = `'${expected.url}'`;
  it.each([
    ['what it printed', `$ curl -v ${url} -d '${body}'\n${printed}`],
    ['a command alone', `curl -X POST ${url} \\\n  -H "X-Signature: abc" --data-raw '${body}'\n`],
    ['double quotes', `$ curl --url ${url} -H 'X-Signature: abc' -d "${body.replace(/["\\]/g, '\\$&')}"`],
    ['ANSI quotes', `curl -s ${url} -H 'X-Signature: abc' --json $'${body.replaceAll('\\', '\\\\')}'`],
  ])('curl: %s', async (_, text) => {
    expect(await read(text)).toEqual([{ ...expected, name: `${path}, request 1` }]);
  });

  it('curl: several requests, and one without a body', async () => {
    const get = '> GET /dlr?status=ok HTTP/1.1\n> Host: hooks.example.com\n>\n';
    expect(await read(`${get}\ncurl -G ${url} -d b=2\ncurl ${url} -d '1'\n${printed}`)).toMatchObject([
      { method: 'GET', url: 'https://hooks.example.com/dlr?status=ok', body: Buffer.alloc(0) },
      { method: 'GET', url: 'https://hooks.example.com/x?a=1&b=2', body: Buffer.alloc(0) },
      { method: 'POST', body: Buffer.from('1') },
    ]);
  });

  it.each([printed, `curl ${url} -d @body-2025550143.json\n`])(
    'curl: a body that is not shown is asked for: case %#',
    async (text) => {
      expect(await problem(text)).toMatch(/request 1, line \d: curl does not print the body(?!.*5550143)/);
    },
  );
});

it('must exist', async () => {
  await expect(readCaptureFile(`${path}-none`)).rejects.toThrow(
    /none: cannot be read \(ENOENT: no such file or directory\)/,
  );
});
