/** Signature vectors as their owners publish them. */

/** Standard Webhooks: the specification and its reference libraries. */
export const standardWebhooksVector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
} as const;

/** GitHub documentation, "Validating webhook deliveries". */
export const gitHubVector = {
  secret: "It's a Secret to Everybody",
  headers: {
    'X-Hub-Signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  },
  body: 'Hello, World!',
} as const;
