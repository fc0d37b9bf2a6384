import { createServer } from 'node:net';
import { findFreePort } from '@moothall/infrastructure';
import { StartError } from './data-folder/start-error';

/** @throws StartError if the address is not available, before anything is started for it */
export async function requireFreePort(host: string, port: number, setting = 'PORT'): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw new StartError(explain(error as NodeJS.ErrnoException, host, port, setting));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

export const usualPorts = { PORT: 8080, SSH_PORT: 2222, REGISTRY_PORT: 5050 };

/**
 * The port to listen on: the configured one, else the default one, else a free one. @throws StartError if the
 * configured port is taken
 */
export async function choosePort(
  host: string,
  setting: keyof typeof usualPorts,
  wanted: number | undefined,
): Promise<number> {
  if (wanted) {
    await requireFreePort(host, wanted, setting);
    return wanted;
  }
  const usual = usualPorts[setting];
  if (wanted === undefined && (await isFree(host, usual))) return usual;
  // If the host is wrong, this explains it.
  await requireFreePort(host, 0, setting);
  return findFreePort(host);
}

function isFree(host: string, port: number): Promise<boolean> {
  return requireFreePort(host, port).then(
    () => true,
    () => false,
  );
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number, setting: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set ${setting} to another one.`;
  if (code === 'EACCES') return `Port ${port} needs more rights than this user has. Set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no interface ${host}. Set HOST to one it has.`;
  return `Cannot listen on ${host}:${port}: ${message}`;
}
