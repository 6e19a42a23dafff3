/**
 * Everything that the page may load comes from its own origin, nothing of it is inline, and no other page may show it in a frame.
 *
 * @param signIn the origin that the page asks for tokens; undefined if it asks no other origin
 */
export function contentSecurityPolicy(signIn?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", signIn].filter((source) => source !== undefined).join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** The security headers of the console's page. */
export const consolePageHeaders = {
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The paths that are files of the page. Every other one is an address of the page's own, also with a dot: `/messages/abc.def`. */
export const pageFilePaths = /^\/(?:assets\/[\w.-]+|[\w-]+\.\w+)$/;
