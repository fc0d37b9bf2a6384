import type { LoggerService } from '@nestjs/common';
import pino, { type Level, type Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

// Whatever is logged by accident under these names stays out of the log.
const secretPaths = [
  ...['password', 'token', 'authorization', 'headers.authorization'],
  ...['private-token', 'job-token', 'deploy-token'].map((name) => `headers["${name}"]`),
];

/**
 * The process's log: one JSON object a line on stdout.
 * @param app stands in every line
 * @param mixin what else a line says, as it is when it is written
 */
export function createLogger(app: string, level: string, mixin: () => object = () => ({})): Logger {
  return pino({ level, base: { app }, mixin, redact: { paths: secretPaths, censor: '[removed]' } });
}

/** Lets Nest and the classes that use its Logger write to the process's log. */
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

  /** Nest gives the class's name last, and a stack before it for errors. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const detail = rest.length > 1 ? { detail: rest.slice(0, -1) } : {};
    if (message instanceof Error) this.logger[level]({ context, ...detail, err: message }, message.message);
    else this.logger[level]({ context, ...detail }, String(message));
  }
}
