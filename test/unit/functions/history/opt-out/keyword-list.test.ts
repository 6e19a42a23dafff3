import { expect, it } from 'vitest';
import { parseKeywords } from '../../../../../functions/history/opt-out/keyword-list.ts';
import { keywordOf, shippedKeywordFile } from '../../../../../tools/support/keywords.ts';

function problemsOf(json: unknown): readonly string[] {
  const parsed = parseKeywords(json);
  return parsed.kind === 'ok' ? [] : parsed.problems;
}

it('the shipped file has the usual words of all countries', () => {
  expect(problemsOf(shippedKeywordFile)).toEqual([]);
  const everywhere = 'STOP STOPALL STOPP UNSUBSCRIBE UNSUB CANCEL END QUIT OPTOUT REVOKE REMOVE'.split(' ');
  const country = 'SAIR PARAR CANCELAR REMOVER BAJA ALTO DETENER SALIR ARRET ARRETE ARRETT TD'.split(' ');
  for (const word of [...everywhere, ...country]) expect(keywordOf(word), word).toBe('stop');
  for (const word of ['START', 'UNSTOP', 'VOLTAR', 'NONARRET']) expect(keywordOf(word), word).toBe('start');
  for (const word of ['HELP', 'INFO', 'AJUDA', 'AYUDA', 'AIDE']) expect(keywordOf(word), word).toBe('help');
  for (const word of everywhere) expect(keywordOf(word, '+5500955550143'), word).toBe('stop');
});

it('words are brought into the form in which they are compared', () => {
  expect(
    parseKeywords({
      everywhere: { stop: ['stop', 'Stop!'], start: ['Start!', 'opt  in', 'Óptin'] },
      countries: { FR: { stop: ['arrêt'], help: ['à l’aide'] } },
    }),
  ).toEqual({
    kind: 'ok',
    value: {
      everywhere: { stop: ['STOP'], start: ['START', 'OPT IN', 'OPTIN'], help: [] },
      countries: { FR: { stop: ['ARRET'], start: [], help: ['ALAIDE'] } },
    },
  });
});

it('every problem is reported at once, with its place', () => {
  expect(
    problemsOf({
      everywhere: { stop: ['STOP', ' !'], start: ['👍 YES'], help: ['x'.repeat(65)] },
      countries: { XX: {}, BR: { start: ['sair', 'stop'], stop: ['SAIR'] } },
    }),
  ).toEqual([
    'everywhere.stop.1: expected letters or digits, 1 to 64',
    'everywhere.start.0: expected letters or digits, 1 to 64, and no symbols',
    'everywhere.help.0: expected letters or digits, 1 to 64',
    'countries.XX: no country has these letters',
    'countries.BR.start.0: "SAIR" already means stop: expected one meaning in a country',
    'countries.BR.start.1: "STOP" already means stop: expected one meaning in a country',
  ]);
});

it.each([
  [{ everywhere: { stpo: ['STOP'] } }, ['everywhere.stpo: expected stop, start, help']],
  [{ everywhere: { stop: ['STOP'] }, country: {} }, ['country: expected everywhere or countries']],
  [{ everywhere: { stop: 'STOP' } }, ['everywhere.stop: expected array, received string']],
  [{ everywhere: { stop: ['STOP', 7] } }, ['everywhere.stop.1: expected string, received number']],
  [
    { everywhere: { stop: ['STOP'] }, countries: { br: {} } },
    ['countries.br: expected the two capital letters of a country, for example BR'],
  ],
  [{}, ['everywhere: expected object, received undefined']],
  [null, ['(the whole file): expected object, received null']],
  [
    { everywhere: { start: ['START'] } },
    ['everywhere.stop: expected at least one word: without any, no person could opt out'],
  ],
])('a file of another shape is refused: %j', (json, problems) => {
  expect(problemsOf(json)).toEqual(problems);
});
