/**
 * The fields that every answer has: `X-Request-Id`, by which its lines in the log are found, and a ban on guessing another
 * media type (https://fetch.spec.whatwg.org/#x-content-type-options-header).
 */
export const fieldsOfAll = (requestId: string) => ({
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
});
