import { createHash } from 'node:crypto';
import { finished } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { commonErrors } from '@moothall/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { sendsForm } from '../answer/resource-pages';
import { BrowserSession } from '../credentials/browser-session';
import { nestFields } from '../parameters/nest-fields';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { type SpooledFiles, UploadSpool } from '../uploads/spool';
import type { SpooledFile } from '../uploads/spooled-file';
import { asRefusal, longestName, mostFields } from './multipart-bodies';
import { TextBudget } from './text-budget';

/** A chosen file of a form of a page. */
type FormFile = Pick<SpooledFile, 'ticket'> & { sha256: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** Chosen files of a form of a page, by field. They are never in the body, so that no field can pass for one. */
    formFiles?: Record<string, FormFile>;
  }
}

const mostFiles = 10;

/**
 * Reads forms of pages that contain files. Text and files have one common limit. A file is stored only if a page has
 * shown the form in this browser, so its `csrf` comes before all files; web refuses any other form.
 */
@Injectable()
export class FormBodies {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly browser: BrowserSession,
    private readonly spool: UploadSpool,
  ) {}

  readonly hook: preValidationHookHandler = (request, reply, done) => {
    if (request.routeOptions.config.operation || !request.isMultipart() || !sendsForm(request)) return done();
    this.read(request, reply).then(
      () => done(),
      (error: Error) => done(error),
    );
  };

  private async read(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const upload = this.spool.begin();
    request.upload = upload;
    finished(reply.raw, () => upload.abandon());
    try {
      await this.readParts(request, upload);
    } catch (error) {
      request.raw.unpipe();
      await upload.release();
      throw asRefusal(error);
    }
  }

  private async readParts(request: FastifyRequest, upload: SpooledFiles): Promise<void> {
    const { MAX_BODY } = this.settings;
    const pairs: [string, unknown][] = [];
    const files = new Map<string, FormFile>();
    const tooLarge = () => commonErrors.tooLarge();
    const budget = new TextBudget(MAX_BODY, tooLarge);
    const parts = request.parts({
      limits: { fieldSize: MAX_BODY, fieldNameSize: longestName, fields: mostFields, files: mostFiles },
    });
    let isShown: boolean | undefined;
    for await (const part of parts) {
      if (part.type === 'field') {
        budget.take(part);
        pairs.push([part.fieldname, part.value]);
        continue;
      }
      // For a field without a chosen file, browsers send a file without name.
      if (part.filename) isShown ??= await this.browser.hasShown(csrfIn(pairs), request);
      const file = new CountedFile(part.file, budget);
      if (!part.filename || !isShown) {
        await file.discard();
        continue;
      }
      if (files.has(part.fieldname)) throw commonErrors.badRequest();
      const { ticket } = await upload.write({ ...named(part), file }, { bytes: MAX_BODY, tooLarge });
      files.set(part.fieldname, { ticket, sha256: file.digest() });
    }
    request.body = nestFields(pairs);
    request.formFiles = Object.fromEntries(files);
  }
}

const named = ({ filename, mimetype }: MultipartFile) => ({ filename, mimetype });

function csrfIn(pairs: readonly [string, unknown][]): string {
  const csrf = pairs.find(([name]) => name === 'csrf')?.[1];
  return typeof csrf === 'string' ? csrf : '';
}

/** A file of a form, whose bytes count for the limit of the form. */
class CountedFile implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');

  constructor(
    private readonly chunks: AsyncIterable<Buffer>,
    private readonly budget: TextBudget,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.chunks) {
      this.budget.takeBytes(chunk.length);
      this.hash.update(chunk);
      yield chunk;
    }
  }

  async discard(): Promise<void> {
    for await (const { length } of this.chunks) this.budget.takeBytes(length);
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}
