export const anyAccount = {
  region: 'sa-east-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
} as const;

/** A command as a client gets it: `GetTemplateCommand` and its input. */
export type Answer = (command: string, input: Readonly<Record<string, unknown>>) => object;

type Handler = (call: { readonly input: object }) => Promise<{ output: object; response: unknown }>;

interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Handler, context: { readonly commandName?: string }) => Handler,
      options: { readonly step: 'initialize'; readonly priority: 'high' },
    ): void;
  };
}

/** Makes a client of AWS answer without a call. */
export function answering<T extends Client>(client: T, answer: Answer): T {
  client.middlewareStack.add(
    (_next, { commandName = '' }) =>
      async ({ input }) => ({
        output: { $metadata: {}, ...answer(commandName, { ...input }) },
        response: undefined,
      }),
    { step: 'initialize', priority: 'high' },
  );
  return client;
}
