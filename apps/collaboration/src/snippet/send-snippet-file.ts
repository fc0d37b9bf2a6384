import { type PresignedUrl, snippetErrors } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';
import { snippetRef } from './snippet-views';

interface PresignedFile {
  id: number;
  path: string;
}

/** Accepted names of the only ref, for clients of other releases. */
const refs = [snippetRef, 'master', 'HEAD'];

/** Sends the content of a snippet's files, never with a type that a browser would execute. */
@Injectable()
export class SendSnippetFile implements OnModuleInit {
  constructor(
    private readonly snippets: Snippets,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedFile>('snippet-file', async ({ id, path }, _, response) => {
      const snippet = await this.snippets.getWithContent(id);
      const file = snippet?.files.find((each) => each.path === path);
      if (!file) {
        response.writeHead(404).end();
        return;
      }
      const body = Buffer.from(file.content);
      response.writeHead(200, {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': body.length,
        'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(path)}`,
        'content-security-policy': "default-src 'none'; sandbox",
      });
      response.end(body);
    });
  }

  sendFirst({ _id, files }: SnippetDocument): PresignedUrl {
    return this.dataPort.presign('snippet-file', { id: _id, path: files[0]?.path ?? '' } satisfies PresignedFile);
  }

  /** @throws snippet.file_not_found */
  sendOne({ _id, files }: SnippetDocument, ref: string, path: string): PresignedUrl {
    if (!refs.includes(ref) || !files.some((file) => file.path === path)) throw snippetErrors.fileNotFound();
    return this.dataPort.presign('snippet-file', { id: _id, path } satisfies PresignedFile);
  }
}
