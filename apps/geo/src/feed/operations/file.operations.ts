import {
  type ContextOf,
  fileContractsOf,
  forbidden,
  geoErrors,
  getGeoFile,
  listCopiedImages,
  listGeoFiles,
  listGeoImages,
  type ParsedOf,
  type PresignedUrl,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { GeoSettings } from '../../settings/settings';
import { ShownProjects } from '../shown-projects';

/** Files that a secondary copies, from the services that store them. See docs/api/geo-replication.md#6. */
@Controller()
export class FileOperations {
  private readonly isPrimary: boolean;

  constructor(
    private readonly client: OperationClient,
    private readonly projects: ShownProjects,
    @Inject(settingsToken) { GEO_ROLE }: GeoSettings,
  ) {
    this.isPrimary = GEO_ROLE === 'primary';
  }

  @Handles(listGeoFiles)
  async list(_: ContextOf<typeof listGeoFiles>, input: ParsedOf<typeof listGeoFiles>) {
    this.requirePrimary();
    const listed = await this.client.call(fileContractsOf[input.kind].list, input);
    const named = new Set(listed.files.flatMap(({ project_ids }) => project_ids));
    return { ...listed, projects: await this.projects.show([...named]) };
  }

  @Handles(getGeoFile)
  async get(_: ContextOf<typeof getGeoFile>, { kind, file_id }: ParsedOf<typeof getGeoFile>): Promise<PresignedUrl> {
    this.requirePrimary();
    const keeper = fileContractsOf[kind];
    const [file] = (await this.client.call(keeper.list, { kind, id: file_id })).files;
    if (!file) throw geoErrors.fileMissing();
    return this.client.call(keeper.read, { kind, key: file.key });
  }

  @Handles(listGeoImages)
  async listImages(_: ContextOf<typeof listGeoImages>, input: ParsedOf<typeof listGeoImages>) {
    this.requirePrimary();
    const listed = await this.client.call(listCopiedImages, input);
    const named = new Set(listed.images.map(({ project_id }) => project_id));
    return { ...listed, projects: await this.projects.show([...named]) };
  }

  private requirePrimary(): void {
    if (!this.isPrimary) throw forbidden();
  }
}
