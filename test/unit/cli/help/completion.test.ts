import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../support/harness.ts';

/** The words that a shell would offer after these. */
async function offered(...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  await commandLine().sms('complete', '--', ...words);
  return lines.slice(0, -1).map((line) => line.split('\t', 1).join());
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('completion', () => {
  it.each([
    [['mess'], ['message']],
    [
      ['message', ''],
      ['get', 'list', 'export', 'import'],
    ],
    [['message', 'list', '--state', 'p'], ['pending']],
    [['quarantine', 'list', '--reason', 'bad-t'], ['bad-time']],
    [['message', 'list', '--status', 'fa'], ['failed']],
    [
      ['webhook', 'status', '--s'],
      ['--source', '--stack'],
    ],
  ])('of %j offers %j', async (words, expected) => {
    expect((await offered(...words)).sort()).toEqual([...expected].sort());
  });

  it.each([
    [['contract', 'test', '--file', ''], ':0'],
    [['contract', 'test', '--contract', 'con'], ':0'],
    [['message', 'export', '--csv', '--out', ''], ':0'],
    [['webhook', 'store-secret', '--secret-file', 's'], ':0'],
    [['message', 'get', 'x', '--local', '--dir', ''], ':16'],
    [['init', ''], ':16'],
  ])('of %j makes the shell offer files or folders', async (words, directive) => {
    expect((await commandLine().sms('complete', '--', ...words)).out).toBe(`${directive}\n`);
  });

  it('has a script for bash that can be loaded twice', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await commandLine().sms('completion', 'bash');
    const script = String(log.mock.calls[0]?.[0]);
    expect(script).not.toMatch(/^readonly/m);
    expect(script).toContain('complete -o default -F __sms_complete sms');
  });

  it('has a script for zsh that passes the typed words on and executes none of them', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await commandLine().sms('completion', 'zsh');
    const script = String(log.mock.calls[0]?.[0]);
    expect(script).not.toContain('out=$(eval');
    expect(script).toContain(`out=$(sms complete -- "\${(@)args_to_quote}" 2>/dev/null)`);
    expect(script).toContain(`flagPrefix="-P \${(q)BASH_REMATCH}"`);
  });

  it('has a script for bash that passes the typed words on and executes none of them', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await commandLine().sms('completion', 'bash');
    const script = String(log.mock.calls[0]?.[0]);
    expect(script).not.toContain('eval');
    expect(script).toContain(`out=$(sms complete -- "\${words[@]:1}" 2>/dev/null)`);
    // This function of bash-completion offers files behind a redirection.
    expect(script).toContain('_init_completion -n "=:" || return');
    expect(script).not.toContain('_get_comp_words_by_ref');
  });

  it('has a script for PowerShell that doubles each character that ends a quoted text there', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await commandLine().sms('completion', 'powershell');
    const script = String(log.mock.calls[0]?.[0]);
    const [, pattern = '', replacement = ''] = /\$_ -replace "(.+?)", '(.+?)'/.exec(script) ?? [];
    const quoted = (typed: string) => typed.replaceAll(new RegExp(pattern, 'g'), replacement);
    expect(quoted("a'b")).toBe("a''b");
    for (const quote of ['\u2018', '\u2019', '\u201a', '\u201b'])
      expect(quoted(`${quote}; id`)).toBe(`${quote}${quote}; id`);
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async (shell) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect((await commandLine().sms('completion', shell)).code).toBe(0);
    expect(String(log.mock.calls[0]?.[0])).toContain(`${shell} completion for sms`);
  });
});
