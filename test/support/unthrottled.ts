/** Settings with which the HTTP API lets in what this machine can send: by default it answers 429 above 1,000 requests a second. */
export const unthrottled = { 'sms:throttleRatePerSecond': '100000', 'sms:throttleBurst': '100000' };
