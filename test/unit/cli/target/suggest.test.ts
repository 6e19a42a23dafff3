import { expect, it } from 'vitest';
import { suggest } from '../../../../cli/target/suggest.ts';

const local = { local: true, directory: '.local', stack: 'SmsPipeline' };
const deployed = { local: false, directory: '.local', stack: 'Shop', region: 'eu-west-1', profile: 'prod' };

it.each([
  [local, 'message get', 'msg-1', 'sms message get msg-1 --local'],
  [local, 'message get', '-1', 'sms message get --local -- -1'],
  [local, 'message get', 'a b', "sms message get 'a b' --local"],
  [{ ...local, directory: '/two runs' }, 'outputs', undefined, "sms outputs --local --dir '/two runs'"],
  [deployed, 'outputs', undefined, 'sms outputs --stack Shop --region eu-west-1 --profile prod'],
  [{ ...local, source: 'backup' }, 'doctor', undefined, 'sms doctor --local --source backup'],
  [{ ...local, local: false, stack: 'Mine:Sms' }, 'outputs', undefined, 'sms outputs --stack Mine:Sms'],
  [{ ...local, local: false, stack: 'Mine:' }, 'outputs', undefined, 'sms outputs --stack Mine:'],
  [{ ...local, stack: 'Mine' }, 'outputs', undefined, 'sms outputs --local --stack Mine'],
  [{ ...local, local: false }, 'outputs', undefined, 'sms outputs'],
])('a suggested command reaches %j', (target, words, argument, command) => {
  expect(suggest(target, words, argument)).toBe(command);
});
