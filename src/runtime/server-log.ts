import { type Logger, pino } from 'pino';

/** Fields that are redacted in the log. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.headers.${name}`,
]);

/** The log of a server; `fields` are added to each line. */
export const serverLog = (level: string, fields?: () => object): Logger =>
  pino({ level, redact: SECRETS, ...(fields && { mixin: fields }) });
