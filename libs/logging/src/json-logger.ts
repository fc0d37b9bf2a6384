import type { LoggerService } from '@nestjs/common';
import pino, { type Level, type Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

// Values under these names are not logged.
const secretPaths = [
  ...['password', 'token', 'authorization', 'headers.authorization'],
  ...['private-token', 'job-token', 'deploy-token'].map((name) => `headers["${name}"]`),
];

/**
 * The log of a process: one JSON object per line on stdout.
 * @param app in every line
 * @param mixin further fields of a line, at the time of writing
 */
export function createLogger(app: string, level: string, mixin: () => object = () => ({})): Logger {
  return pino({ level, base: { app }, mixin, redact: { paths: secretPaths, censor: '[removed]' } });
}

/** Makes Nest and classes with its Logger write to the log of the process. */
export class JsonLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the name of the class last, and before it a stack for errors. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const detail = rest.length > 1 ? { detail: rest.slice(0, -1) } : {};
    if (message instanceof Error) this.logger[level]({ context, ...detail, err: message }, message.message);
    else this.logger[level]({ context, ...detail }, String(message));
  }
}
