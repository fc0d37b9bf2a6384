import {
  authenticateNode,
  type Caller,
  countContainerRepositories,
  countJobArtifacts,
  countPackageFiles,
  countProjectRecords,
  countRepositories,
  createGeoNode,
  freeSpaceOfStorages,
  getVersion,
  type InputOf,
  listChecksums,
  nodesWithApplication,
  openImageCopy,
  type ProjectRef,
  projectRefs,
  projectsWithWiki,
  readableProjects,
  registryErrors,
  removeNodeApplication,
  renewNodeApplication,
} from '@moothall/contracts';
import { callerNamed, contextOf, startServiceUnderTest, type TestBed, uniqueId } from '@moothall/testing';
import { service } from '../src';

/** Default of each repository. */
export const usualChecksum = 'a'.repeat(64);

/** Stub services for the geo service, and calls to it. */
export class GeoBed {
  readonly context = contextOf({ caller: callerNamed('root', { isAdmin: true }) as Caller });
  /** Secrets of applications, by node. */
  readonly applications = new Map<number, string>();
  /** Projects with a wiki. */
  readonly wikis = new Set<number>();
  /** Checksums by project and kind that differ from the default. */
  readonly checksums = new Map<string, string | null>();
  disks = [{ storage: 'default', free_share: 0.5 }];
  /** Existing projects, by id. */
  readonly projects = new Map<number, ProjectRef>();

  constructor(readonly under: TestBed) {
    under.respond(renewNodeApplication, ({ node_id }) => {
      const secret = `secret-${uniqueId()}`;
      this.applications.set(node_id, secret);
      return { application_id: `application-${node_id}`, secret };
    });
    under.respond(removeNodeApplication, ({ node_id }) => {
      this.applications.delete(node_id);
    });
    under.respond(nodesWithApplication, ({ node_ids }) => node_ids.filter((id) => this.applications.has(id)));
    under.respond(authenticateNode, ({ application_id, secret }) => {
      const id = Number(application_id.replace('application-', ''));
      return { node_id: this.applications.get(id) === secret ? id : null };
    });
    under.respond(projectRefs, ({ ids }) => ids.flatMap((id) => this.projects.get(id) ?? []));
    under.respond(readableProjects, ({ after_id = 0, group_id, limit }) =>
      [...this.projects.values()]
        .filter(({ id, groupIds }) => id > after_id && (group_id === undefined || groupIds.includes(group_id)))
        .toSorted((a, b) => a.id - b.id)
        .slice(0, limit),
    );
    under.respond(getVersion, () => ({ version: '13.6.0', revision: 'abc' }));
    under.respond(countProjectRecords, () => ({ projects: 7, attachments: 3 }));
    under.respond(countRepositories, () => ({
      repositories: 8,
      wikis: 2,
      repositories_checked: 6,
      repositories_checked_failed: 1,
      repositories_checksummed: 5,
      repositories_checksum_failed: 1,
      wikis_checksummed: 1,
      wikis_checksum_failed: 0,
    }));
    under.respond(freeSpaceOfStorages, () => this.disks);
    under.respond(projectsWithWiki, ({ project_ids }) => project_ids.filter((id) => this.wikis.has(id)));
    under.respond(listChecksums, ({ project_ids, kind }) =>
      project_ids.map((id) => {
        const given = this.checksums.get(`${id}-${kind}`);
        return { project_id: id, checksum: given === undefined ? usualChecksum : given };
      }),
    );
    under.respond(openImageCopy, () => registryErrors.notSetUp());
    under.respond(countJobArtifacts, () => ({ job_artifacts: 5 }));
    under.respond(countContainerRepositories, () => ({ container_repositories: 2 }));
    under.respond(countPackageFiles, () => ({ package_files: 4, lfs_objects: 6 }));
  }

  get call(): TestBed['client']['call'] {
    return this.under.client.call.bind(this.under.client);
  }

  /** A node with a unique name. */
  node(given: Partial<InputOf<typeof createGeoNode>> = {}) {
    const name = `node-${uniqueId()}`;
    return this.call(createGeoNode, { name, url: `https://${name}.example.com/`, ...given }, this.context);
  }
}

export async function startGeoService(settings: Record<string, string> = {}) {
  const under = await startServiceUnderTest(service, settings);
  return { bed: new GeoBed(under), under, stop: () => under.stop() };
}
