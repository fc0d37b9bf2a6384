import {
  downloadLfsObject,
  errorTable,
  findLfsObjects,
  lfsErrors,
  type OutputOf,
  uploadLfsObject,
  verifyLfsObject,
} from '@moothall/contracts';
import { OperationClient, shareOfClient } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamPresigned } from '../answer/presigned-stream';
import { CallerShares } from '../limits/caller-shares';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { contextOf, LfsAccess, type LfsPrincipal } from './lfs-access';
import { sendLfs } from './lfs-answers';
import { batchBody, readLfsBody, verifyBody } from './lfs-bodies';
import type { LfsRequest } from './lfs-request';

type Found = OutputOf<typeof findLfsObjects>[number];
type Of<What extends LfsRequest['what']> = LfsRequest & { what: What };

/** Reasons why an object cannot be downloaded or uploaded. */
const refusals = {
  too_large: lfsErrors.tooLarge,
  project_full: lfsErrors.projectFull,
  of_other_size: lfsErrors.wrongContent,
  missing: lfsErrors.objectNotFound,
} as const;

/** Objects of Git LFS, over HTTP. See docs/api/lfs.md#2. */
@Injectable()
export class LfsObjects {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly access: LfsAccess,
    private readonly operations: OperationClient,
    private readonly shares: CallerShares,
  ) {}

  async batch({ path }: LfsRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { operation, objects, hash_algo = 'sha256' } = readLfsBody(batchBody, request);
    const isUpload = operation === 'upload';
    const principal = await this.access.require(request, path, isUpload ? 'git-receive-pack' : 'git-upload-pack');
    if (hash_algo !== 'sha256') throw lfsErrors.unknownHash();
    const found = await this.operations.call(
      findLfsObjects,
      { objects, to_upload: isUpload, most_bytes: this.settings.MAX_UPLOAD },
      contextOf(request, principal),
    );
    const place = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/${principal.project.fullPath}.git/info/lfs/objects`;
    const header = headerOf(request);
    const view = isUpload ? viewToUpload : viewToDownload;
    sendLfs(reply, { transfer: 'basic', objects: found.map((one) => view(one, place, header)), hash_algo: 'sha256' });
  }

  async download({ path, oid }: Of<'download'>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const principal = await this.access.require(request, path, 'git-upload-pack');
    await this.turn(principal, request, reply, downloadLfsObject.name);
    const presigned = await this.operations.call(downloadLfsObject, { oid }, contextOf(request, principal));
    await streamPresigned(presigned, request, reply);
  }

  async upload({ path, oid, size }: Of<'upload'>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const principal = await this.access.require(request, path, 'git-receive-pack');
    await this.turn(principal, request, reply, uploadLfsObject.name);
    const asked = { oid, size, most_bytes: this.settings.MAX_UPLOAD };
    const presigned = await this.operations.call(uploadLfsObject, asked, contextOf(request, principal));
    await streamPresigned(presigned, request, reply, { sendsBody: true });
  }

  async verify({ path }: LfsRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const object = readLfsBody(verifyBody, request);
    const principal = await this.access.require(request, path, 'git-receive-pack');
    await this.operations.call(verifyLfsObject, object, contextOf(request, principal));
    sendLfs(reply, {});
  }

  /** Clients transfer many objects concurrently. */
  private turn({ caller }: LfsPrincipal, request: FastifyRequest, reply: FastifyReply, name: string): Promise<void> {
    return this.shares.enter(shareOfClient(caller, request.ip), name, reply.raw);
  }
}

/**
 * Objects are transferred by the same server: the credential of this request is valid for them, and clients need no
 * other.
 */
const headerOf = ({ headers: { authorization } }: FastifyRequest): Record<string, string> =>
  authorization === undefined ? {} : { Authorization: authorization };

const viewToDownload = ({ oid, size, state }: Found, place: string, header: object) =>
  state === 'there'
    ? { oid, size, authenticated: true, actions: { download: { href: `${place}/${oid}`, header } } }
    : { oid, size, error: errorOf(state) };

function viewToUpload({ oid, size, state }: Found, place: string, header: object) {
  if (state === 'there') return { oid, size };
  if (state !== 'missing') return { oid, size, error: errorOf(state) };
  const upload = { href: `${place}/${oid}/${size}`, header: { ...header, 'Content-Type': 'application/octet-stream' } };
  return { oid, size, authenticated: true, actions: { upload, verify: { href: `${place}/verify`, header } } };
}

function errorOf(state: keyof typeof refusals) {
  const { status: code, message } = errorTable.get(refusals[state].code) ?? {};
  return { code, message };
}
