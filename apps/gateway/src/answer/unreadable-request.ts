import type { Socket } from 'node:net';
import { hangUp } from './hang-up';

/** Limit of the request line and headers together: ten thousand ids in a query, and a sign-in. */
export const maxHeaderBytes = 256 * 1024;

const answers: Record<string, [status: number, text: string]> = {
  HPE_HEADER_OVERFLOW: [414, 'Request-URI Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Answers requests that cannot be parsed in the form of the API, and closes the connection. */
export function answerUnreadableRequest({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const [status, text] = answers[code] ?? [400, 'Bad Request'];
  const body = JSON.stringify({ message: `${status} ${text}` });
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  hangUp(socket);
}
