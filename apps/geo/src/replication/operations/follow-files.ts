import { eachAlone, PeriodicJob } from '@moothall/background';
import { type CopiedFile, type FileKind, fileKinds, type listGeoFiles, type OutputOf } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import type { GeoNodeDocument } from '../../node/node.schema';
import type { GeoSettings } from '../../settings/settings';
import type { FilePosition } from '../file-position.schema';
import { FileRows } from '../file-rows.repository';
import { PrimarySite } from '../primary-site';
import { everything, isAmongSelected, keyOf, type Selection } from '../selection';

type Listed = OutputOf<typeof listGeoFiles>;

const limit = 1000;
const newest = 100;

/**
 * Records files to copy, kind by kind: it walks the complete list periodically and checks the newest files in between.
 * Files that are no longer in the list are removed. See docs/api/geo-replication.md#6.
 */
@Injectable()
export class FollowFiles {
  private readonly walkEveryMs: number;
  private readonly lookEveryMs: number;
  private lookedAt = 0;

  constructor(
    private readonly primary: PrimarySite,
    private readonly rows: FileRows,
    private readonly nodes: GeoNodes,
    @Inject(settingsToken) { GEO_FILES_INTERVAL, GEO_NEW_FILES_INTERVAL }: GeoSettings,
  ) {
    this.walkEveryMs = GEO_FILES_INTERVAL * 1000;
    this.lookEveryMs = GEO_NEW_FILES_INTERVAL * 1000;
  }

  @PeriodicJob('files of the primary', {
    everySeconds: (following: FollowFiles) => following.primary.looksEverySeconds,
    where: (following: FollowFiles) => following.primary.isKnown,
  })
  async follow(signal?: AbortSignal): Promise<void> {
    if (Date.now() - this.lookedAt < this.lookEveryMs) return;
    this.lookedAt = Date.now();
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    await eachAlone(fileKinds, (kind) => this.followKind(kind, node, signal), signal);
  }

  private async followKind(kind: FileKind, node: GeoNodeDocument | null, signal?: AbortSignal): Promise<void> {
    const selection = node ?? everything;
    for (let isFresh = true; !signal?.aborted; isFresh = false) {
      const position = await this.rows.position(kind);
      const isCurrent = position?.selection === keyOf(selection);
      if (!position || !isCurrent || (isFresh && this.isDue(position)))
        await this.rows.beginWalk(kind, keyOf(selection));
      else if (position.isWalking) await this.walk(position, node);
      else if (!isFresh || !(await this.look(kind, node))) return;
      else await this.rows.beginWalk(kind, keyOf(selection));
    }
  }

  private isDue({ isWalking, walkedAt }: FilePosition): boolean {
    return !isWalking && (walkedAt === null || Date.now() - walkedAt.getTime() >= this.walkEveryMs);
  }

  private async walk(position: FilePosition, node: GeoNodeDocument | null): Promise<void> {
    const { _id: kind, after } = position;
    const listed = await this.primary.files({ kind, limit, ...(after !== null && { id_after: String(after) }) });
    const isLast = listed.files.length < limit;
    const last = listed.files.at(-1)?.id ?? null;
    const known = await this.rows.between(kind, after, isLast ? null : last);
    const wanted = selectedOf(listed, node);
    if (wanted) {
      const there = new Set(known.flatMap(({ fileId, state }) => (state === 'removing' ? [] : [fileId])));
      await this.rows.want(
        kind,
        wanted.filter(({ id }) => !there.has(id)),
      );
      const still = new Set(wanted.map(({ id }) => id));
      await this.rows.drop(known.filter(({ fileId, state }) => state !== 'removing' && !still.has(fileId)));
    }
    await this.rows.advance(position, isLast ? null : last);
  }

  /** @returns whether there are more files than were checked */
  private async look(kind: FileKind, node: GeoNodeDocument | null): Promise<boolean> {
    const listed = await this.primary.files({ kind, newest: true, limit: newest });
    const wanted = selectedOf(listed, node) ?? [];
    const known = new Set((await this.rows.among(kind, wanted)).map(({ fileId }) => fileId));
    await this.rows.want(
      kind,
      wanted.filter(({ id }) => !known.has(id)),
    );
    return known.size === 0 && wanted.length > 0 && listed.files.length === newest;
  }
}

/** The files that this site copies; undefined if files in object storage are replicated by other means. */
function selectedOf({ files, projects, in_object_storage }: Listed, node: GeoNodeDocument | null) {
  if (in_object_storage && node && !node.syncsObjectStorage) return undefined;
  const selection: Selection = node ?? everything;
  const selected = new Set(projects.filter((project) => isAmongSelected(project, selection)).map(({ id }) => id));
  const isWanted = ({ project_ids }: CopiedFile) =>
    project_ids.length === 0 || project_ids.some((id) => selected.has(id));
  return files.filter(isWanted);
}
