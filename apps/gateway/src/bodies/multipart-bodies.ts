import { finished } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { checkAccess, ResourceResolver } from '@moothall/access';
import { commonErrors, type FileLimit, invalidParameters, type Operation, OperationError } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { Callers, mayAsk } from '../credentials/callers';
import { InputReader } from '../parameters/input-reader';
import { nestFields } from '../parameters/nest-fields';
import { filesOf } from '../parameters/refuse-plain-files';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { type SpooledFiles, UploadSpool } from '../uploads/spool';
import { credentialBytes } from './body-admission';
import { FileLimits } from './file-limits';
import { TextBudget } from './text-budget';

declare module 'fastify' {
  interface FastifyRequest {
    /** Files of the body. */
    upload?: SpooledFiles;
  }
}

export const mostFields = 1000;
export const longestName = 1000;

/**
 * Reads multipart bodies: text with one common limit; only files that the operation accepts, up to their limit, and
 * only after the caller is accepted.
 */
@Injectable()
export class MultipartBodies {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly callers: Callers,
    private readonly resources: ResourceResolver,
    private readonly limits: FileLimits,
    private readonly spool: UploadSpool,
    private readonly inputs: InputReader,
    private readonly operations: OperationClient,
  ) {}

  readonly hook: preValidationHookHandler = (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (!operation || !request.isMultipart()) return done();
    this.read(operation, request, reply).then(
      () => done(),
      (error: Error) => done(error),
    );
  };

  private async read(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limits = await this.limitsOf(operation);
    this.refuseTooLong(request, limits);
    const upload = this.spool.begin();
    request.upload = upload;
    finished(reply.raw, () => upload.abandon());
    try {
      await this.readParts({ operation, request, reply, upload, limits });
    } catch (error) {
      request.raw.unpipe();
      await upload.release();
      throw asRefusal(error);
    }
  }

  private async limitsOf(operation: Operation): Promise<Limits> {
    const fields = [...filesOf(operation)];
    return new Map(
      await Promise.all(fields.map(async ([name, { limit }]) => [name, await this.limits.read(limit)] as const)),
    );
  }

  /** Refuses early if the length exceeds the limits. */
  private refuseTooLong({ headers }: FastifyRequest, limits: Limits): void {
    const all = [...limits.values()];
    const most = all.reduce((sum, { bytes }) => sum + bytes, this.settings.MAX_BODY + credentialBytes);
    if (Number(headers['content-length'] ?? 0) <= most) return;
    const [first, ...others] = all;
    throw first && others.length === 0 ? first.tooLarge(first.bytes) : commonErrors.tooLarge();
  }

  private async readParts(reading: Reading): Promise<void> {
    const { operation, request, upload, limits } = reading;
    const pairs: [string, unknown][] = [];
    const mostText = mayAsk(operation, request) ? this.settings.MAX_BODY : credentialBytes;
    const budget = new TextBudget(mostText, () =>
      mayAsk(operation, request) ? commonErrors.tooLarge() : commonErrors.unauthorized(),
    );
    const parts = request.parts({
      limits: { fieldSize: mostText, fieldNameSize: longestName, fields: mostFields, files: limits.size + 1 },
    });
    let isAdmitted = false;
    for await (const part of parts) {
      const name = wireName(part.fieldname);
      if (part.type === 'field') {
        budget.take(part);
        pairs.push([name, part.value]);
        continue;
      }
      const limit = limits.get(name);
      if (!limit || pairs.some(([known]) => known === name)) throw invalidParameters(`${name} is invalid`);
      request.body = nestFields(pairs);
      if (!isAdmitted) await this.admit(reading);
      isAdmitted = true;
      pairs.push([name, await upload.write(part as MultipartFile, limit)]);
    }
    request.body = nestFields(pairs);
  }

  /** The credential may be in the parameters before the first file. */
  private async admit({ operation, request, reply }: Reading): Promise<void> {
    await this.callers.identify(request, reply, operation);
    if (!mayAsk(operation, request)) throw commonErrors.unauthorized();
    const { id } = request.params as { id?: string };
    await checkAccess(operation, request.caller, String(id), this.resources);
    const { admittedBy } = operation;
    if (admittedBy)
      await this.operations.send(admittedBy, this.inputs.read(admittedBy, request), { requestId: request.id });
  }
}

type Limits = ReadonlyMap<string, FileLimit<number>>;

interface Reading {
  operation: Operation;
  request: FastifyRequest;
  reply: FastifyReply;
  upload: SpooledFiles;
  limits: Limits;
}

/** @gitbeaker/rest sends form names in camel case: `parentId` for `parent_id`. No name of the API has capitals. */
const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function asRefusal(error: unknown): unknown {
  if (error instanceof OperationError) return error;
  const { statusCode, errno, code } = error as NodeJS.ErrnoException & { statusCode?: number };
  if (statusCode === 413) return commonErrors.tooLarge();
  if (code === 'ENOSPC' || code === 'EDQUOT') return commonErrors.diskFull();
  // Errors of the disk are server errors; any other parser error is a malformed body.
  return errno === undefined ? commonErrors.badRequest() : error;
}
