/** The licences, by their SPDX names, under which code of others may be shipped: they ask for no more than their text beside it. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
];

/** Returns whether code under a licence may be shipped. Of several to choose from, one is enough. */
export function mayShip(licence: string | undefined): boolean {
  const choices = licence?.replace(/^\((.*)\)$/, '$1').split(' OR ') ?? [];
  return choices.some((choice) => permissive.includes(choice));
}
