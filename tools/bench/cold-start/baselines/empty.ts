/** Does nothing: what the runtime itself costs. */
export const handler = async () => ({ statusCode: 200 });
