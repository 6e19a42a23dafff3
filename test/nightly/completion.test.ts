import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { shellWord } from '../../contract/text/shell-word.ts';

const main = resolve(import.meta.dirname, '../../bin/sms.ts');
const folder = mkdtempSync(join(tmpdir(), 'completion-'));
const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, TERM: 'xterm', HOME: folder };
const bashCompletion = '/usr/share/bash-completion/bash_completion';

/** How each shell completes a line without a user. The script of `sms completion` is in the file "$SCRIPT". */
const shells: Readonly<Record<string, { readonly needs: string; readonly program: string }>> = {
  bash: {
    needs: 'bash bash-completion',
    program: `
      . ${bashCompletion}
      . "$SCRIPT"
      . "$SCRIPT"
      compopt() { [[ $* == '+o default' ]] && offers_files=no; }  # bash accepts it only while a user presses Tab
      read -ra COMP_WORDS <<< "$LINE"
      [[ $LINE == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMP_LINE=$LINE COMP_POINT=\${#LINE}
      $(complete -p sms | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      # What bash does itself while a user presses Tab.
      [[ \${#COMPREPLY[@]} == 0 && $offers_files != no && $(complete -p sms) == *'-o default'* ]] &&
        COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
      printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    needs: 'zsh',
    program: `
      zmodload zsh/zpty
      zpty -b shell zsh -f -i
      # The prompt comes when zsh edits lines itself. What is typed before that goes through the terminal, where Ctrl-U deletes it.
      zpty -w shell 'autoload -Uz compinit; compinit -u -d $HOME/dump; source $SCRIPT; LISTMAX=0; bindkey "^I" list-choices; stty cols 300; PS1=RE""ADY'
      zpty -r -m shell seen '*READY*'
      zpty -w -n shell "$LINE"$'\\t'
      # The list of zsh has an end that only a later prompt shows.
      zpty -w -n shell $'\\C-u'"echo D"'""ONE'$'\\n'
      zpty -r -m shell seen '*DONE*'
      print -r -- "$seen"`,
  },
  fish: { needs: 'fish', program: 'source "$SCRIPT"; complete -C "$LINE"' },
};

describe.each(Object.entries(shells))('completion in %s', (shell, { needs, program }) => {
  beforeAll(() => {
    const isThere = spawnSync(shell, ['--version']).status === 0;
    if (!isThere || (shell === 'bash' && !existsSync(bashCompletion)))
      throw new Error(`This test needs ${shell}: apt-get install ${needs}`);
    const sms = join(folder, 'sms');
    writeFileSync(sms, `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`);
    chmodSync(sms, 0o755);
    const script = execFileSync(sms, ['completion', shell], { env, encoding: 'utf8' });
    writeFileSync(join(folder, `script.${shell}`), script);
    mkdirSync(join(folder, 'folder-of-captures'), { recursive: true });
  });

  it.each(["m\\';touch owned;#'", "\\'\\\\'", '$(touch owned) `id` !! ~ *', 'a\nb'])(
    'is of a shell in which a word of a command that sms prints stays one word: %j',
    (text) => {
      expect(execFileSync(shell, ['-c', `printf '%s|' ${shellWord(text)} end`], { encoding: 'utf8' })).toBe(
        `${text}|end|`,
      );
    },
  );

  const complete = (line: string) =>
    spawnSync(shell, [...(shell === 'bash' ? ['--norc'] : []), '-c', program], {
      env: { ...env, LINE: line, SCRIPT: join(folder, `script.${shell}`) },
      encoding: 'utf8',
      cwd: folder,
      timeout: 60_000,
    }).stdout;

  it('executes nothing of what is typed, and writes no file', () => {
    const path = join(folder, 'old.csv');
    writeFileSync(path, 'id');
    complete('sms message list --csv > old.csv');
    complete('sms message get $(touch executed) --lo');
    complete('sms message get `touch executed` --lo');
    complete('sms number show --country=$(touch executed)=');
    complete("sms number show '--country=$(touch executed)='");
    complete('sms number show --country=$(>executed)=');
    complete('sms contract test --file=$(>executed)=');
    expect(readFileSync(path, 'utf8')).toBe('id');
    expect(existsSync(join(folder, 'executed'))).toBe(false);
  });

  it.each([
    ['sms mess', ['message'], ['number']],
    ['sms opt-out ', ['list', 'add', 'remove'], ['show']],
    ['sms webhook st', ['status', 'store-secret'], ['rotate']],
    ['sms number show --cou', ['--country'], ['--contract']],
    ['sms message list --status fa', ['failed'], ['sent']],
    ['sms contract test --file fol', ['folder-of-captures/?'], ['list']],
    ['sms init fol', ['folder-of-captures/?'], ['capture']],
    ['sms message list --csv > fol', ['folder-of-captures/?'], ['list']],
  ])('of "%s" offers %j and not %j', (line, offered, others) => {
    const shown = stripVTControlCharacters(complete(line));
    for (const word of offered) expect(shown).toMatch(new RegExp(`(^|\\s)${word}(\\s|$)`, 'm'));
    for (const word of others) expect(shown).not.toMatch(new RegExp(`^${word}(\\s|$)`, 'm'));
  });
});
