import { PeriodicJob } from '@moothall/background';
import {
  type CopiedImage,
  geoErrors,
  imageKind,
  isError,
  openImageCopy,
  registryErrors,
  removeImageCopy,
} from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import type { GeoNodeDocument } from '../../node/node.schema';
import type { GeoSettings } from '../../settings/settings';
import { copyImage } from '../copy-image';
import { ImageRows } from '../image-rows.repository';
import { PrimarySite } from '../primary-site';
import { RegistrySite } from '../registry-site';
import { ReplicaRows } from '../replica-row.repository';
import type { ImageRow } from '../replica-row.schema';
import { everything, isAmongSelected } from '../selection';
import { wordsOf } from '../words-of';
import { workInSlots } from '../work-in-slots';

/** Default of a site that is not a node. */
const usualCapacity = 10;
const limit = 1000;
const atOnce = 100;
const saysEveryMs = 20_000;

/**
 * Copies images from the registry of the primary to that of this site, if both have one: tags, their manifests, and
 * missing blobs. See docs/api/geo-replication.md#7.
 */
@Injectable()
export class CopyImages {
  private readonly walkEveryMs: number;
  private walkedAt = 0;

  constructor(
    private readonly primary: PrimarySite,
    private readonly rows: ReplicaRows,
    private readonly images: ImageRows,
    private readonly nodes: GeoNodes,
    private readonly client: OperationClient,
    @Inject(settingsToken) { GEO_IMAGES_INTERVAL }: GeoSettings,
  ) {
    this.walkEveryMs = GEO_IMAGES_INTERVAL * 1000;
  }

  @PeriodicJob('images of the primary', {
    everySeconds: (copying: CopyImages) => copying.primary.looksEverySeconds,
    where: (copying: CopyImages) => copying.primary.isKnown,
  })
  async follow(signal?: AbortSignal): Promise<void> {
    if (Date.now() - this.walkedAt < this.walkEveryMs) return;
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const hasRegistry = await this.hasRegistry();
    for (let after: number | null = hasRegistry ? 0 : null; after !== null && !signal?.aborted; )
      after = await this.walk(after, node);
    this.walkedAt = Date.now();
  }

  /** @returns where to continue; null at the end */
  private async walk(id_after: number, node: GeoNodeDocument | null): Promise<number | null> {
    const { images, projects, registry_url } = await this.primary.images({ id_after, limit });
    if (registry_url === null) return null;
    const next = images.length < limit ? null : (images.at(-1)?.id ?? null);
    const selected = new Set(projects.filter((each) => isAmongSelected(each, node ?? everything)).map(({ id }) => id));
    const wanted = images.filter(({ project_id }) => selected.has(project_id));
    const known = await this.images.between(id_after, next);
    await this.images.want(wanted, known);
    const still = new Set(wanted.map(({ id }) => id));
    await this.images.drop(known.filter(({ fileId }) => !still.has(fileId)));
    return next;
  }

  /** No image has that name, so a reachable registry answers that it is missing. */
  private async hasRegistry(): Promise<boolean> {
    return this.client.call(openImageCopy, { path: '' }).then(
      () => true,
      (error: unknown) => {
        if (isError(error, geoErrors.ownFile)) return true;
        if (isError(error, registryErrors.notSetUp)) return false;
        throw error;
      },
    );
  }

  @PeriodicJob('images to copy', {
    everySeconds: (copying: CopyImages) => copying.primary.looksEverySeconds,
    where: (copying: CopyImages) => copying.primary.isKnown,
  })
  async copyDue(signal?: AbortSignal): Promise<void> {
    await workInSlots(
      {
        capacity: async () => (await this.nodes.findCurrent())?.containerRepositoriesMaxCapacity ?? usualCapacity,
        next: () => this.due(),
        work: (row) => (row.state === 'removing' ? this.remove(row) : this.copy(row, signal)),
      },
      signal,
    );
  }

  private async due(): Promise<ImageRow[]> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return [];
    const due: ImageRow[] = [];
    for (const state of ['removing', 'asked', 'pending', 'failed'] as const)
      due.push(...(await this.rows.listDue([imageKind], state, atOnce - due.length)));
    return due;
  }

  private async copy(row: ImageRow, signal?: AbortSignal): Promise<void> {
    if (!(await this.rows.beginAsking(row))) return;
    const saying = setInterval(() => unattended('a copy goes on', this.rows.goesOn(row)), saysEveryMs);
    try {
      const { images, registry_url } = await this.primary.images({ id_after: row.fileId - 1, limit: 1 });
      const image = images.find(({ id }) => id === row.fileId);
      if (image && registry_url !== null) await this.bringOver(image, registry_url, signal);
      await this.images.kept(row);
    } catch (error) {
      await this.rows.failed(row, copyWordsOf(error));
    } finally {
      clearInterval(saying);
    }
  }

  private async bringOver({ path }: CopiedImage, theirs: string, signal?: AbortSignal): Promise<void> {
    const here = await this.client.call(openImageCopy, { path });
    const from = new RegistrySite(theirs, path, await this.primary.registryToken(path), signal);
    const superfluous = await copyImage(from, new RegistrySite(here.registry_url, path, here.token, signal), signal);
    if (superfluous.length > 0) await this.client.call(removeImageCopy, { path, names: superfluous });
  }

  private async remove(row: ImageRow): Promise<void> {
    try {
      await this.client.call(removeImageCopy, { path: row.path });
      await this.rows.remove(row);
    } catch (error) {
      await this.rows.postpone(row, copyWordsOf(error));
    }
  }
}

const copyWordsOf = (error: unknown): string => wordsOf(error, error instanceof Error ? error.message : String(error));
