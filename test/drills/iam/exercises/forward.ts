import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { Exercise } from '../exercise.ts';
import { giveUpNonsense, statusChanged, watchPutOff } from './consumed.ts';

const secretSchema = z.object({ secret: z.string() });

/** Sends an event signed, and again after it was refused; gives up what is no event. */
export const exerciseForward: Exercise = async (stage) => {
  const { pipeline, receiver, output, putEvent, eventually, restart } = stage;
  const event = statusChanged({ status: 'sent', outcome: 'open' });
  const isPutOff = watchPutOff('forward', stage);
  await restart('forward');
  await putEvent(event);
  await eventually('the refused event is put off', isPutOff);
  const { body, headers } = await eventually('it comes again', () =>
    receiver.taken.get(event.detail.eventId),
  );
  const { SecretString = '' } = await pipeline.secretsManager.send(
    new GetSecretValueCommand({ SecretId: output('ForwardSecretArn') }),
  );
  new Webhook(secretSchema.parse(JSON.parse(SecretString)).secret).verify(body, { ...headers });
  await giveUpNonsense('Forward', stage);
};
