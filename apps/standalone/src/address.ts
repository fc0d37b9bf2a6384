import { createServer } from 'node:net';
import { StartError } from './start-error';

/** The address under which this machine itself reaches a server that listens on an interface. */
export function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** @throws StartError when nothing could listen there, before anything has been started for it */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw new StartError(explain(error as NodeJS.ErrnoException, host, port));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set PORT to another one.`;
  if (code === 'EACCES') return `Port ${port} needs more rights than this user has. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no interface ${host}. Set HOST to one it has.`;
  return `Cannot listen on ${host}:${port}: ${message}`;
}
