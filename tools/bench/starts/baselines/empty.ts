/** Does nothing: the cost of a process of Node.js. */
export const handler = async () => ({ statusCode: 200 });
