import type { FastifyReply } from 'fastify';

/** What git-lfs speaks; nothing in such a body is read. */
export const lfsContentType = /^application\/vnd\.git-lfs\+json/;

export const isLfsRequest = (url: string): boolean => /\.git\/info\/lfs(?:[/?]|$)/.test(url);

/**
 * In the form that git-lfs prints to its user; by 501 it also learns not to ask for locks.
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md
 */
export function refuseLfs(reply: FastifyReply): void {
  const message =
    'This server does not store files of Git LFS. Push them to git itself, or set lfs.url to a server that does.';
  reply
    .code(501)
    .header('content-type', 'application/vnd.git-lfs+json')
    .send(Buffer.from(JSON.stringify({ message })));
}
