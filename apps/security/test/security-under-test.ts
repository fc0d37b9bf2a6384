import path from 'node:path';
import {
  Access,
  type AccessLevel,
  type Caller,
  getSecurityReport,
  groupRefs,
  isFeatureOn,
  listProjectVulnerabilities,
  type OutputOf,
  type ProjectRef,
  projectErrors,
  projectRefs,
  readableProjects,
  resolveProject,
  uploadSecurityReport,
} from '@moothall/contracts';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import {
  callerNamed,
  contextOf,
  eventually,
  groupNamed,
  listAll,
  prepareReplicas,
  projectNamed,
  type Replicas,
  type ServiceUnderTest,
  startServiceUnderTest,
  type TestBed,
  UploadStore,
  uniqueId,
} from '@moothall/testing';
import { service } from '../src';

/** Stub services for the security service, and calls to it. */
export class SecurityBed<B extends TestBed> {
  private readonly projects = new Map<number, ProjectRef>();
  /** Whether exports are enabled. */
  isExporting = true;
  /** Level of all callers in every group. */
  groupLevel: AccessLevel = Access.Developer;

  constructor(
    readonly bed: B,
    readonly uploads: UploadStore,
  ) {
    const all = () => [...this.projects.values()];
    bed.respond(resolveProject, ({ project }) => {
      const found = all().find(({ id, fullPath }) => [String(id), fullPath].includes(project));
      return found ? { project: found, redirected: false } : projectErrors.notFound();
    });
    bed.respond(projectRefs, ({ ids }) => all().filter(({ id }) => ids.includes(id)));
    bed.respond(groupRefs, ({ ids }) =>
      ids.map((id) => groupNamed(`group-${id}`, { id, name: `Group ${id}`, accessLevel: this.groupLevel })),
    );
    bed.respond(
      readableProjects,
      ({ group_id }) =>
        all().filter(({ groupIds }) => groupIds.includes(group_id ?? 0)) as OutputOf<typeof readableProjects>,
    );
    bed.respond(isFeatureOn, () => ({ is_on: this.isExporting }));
  }

  get call(): B['client']['call'] {
    return this.bed.client.call.bind(this.bed.client);
  }

  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const id = uniqueId();
    const project = projectNamed(`app-${id}`, { id, ...over });
    this.projects.set(id, project);
    return project;
  }

  /** Sets the level of callers in it. */
  setProject(project: ProjectRef, over: Partial<ProjectRef>): void {
    this.projects.set(project.id, { ...project, ...over });
  }

  removeProject({ id }: ProjectRef): void {
    this.projects.delete(id);
  }

  as(project: ProjectRef, caller: Caller = callerNamed('ada'), accessLevel: AccessLevel = Access.Developer) {
    return contextOf({ caller, project: { ...project, accessLevel } });
  }

  /** @param report as an object, or bytes */
  async upload(project: ProjectRef, report: unknown, given: object = {}, caller = callerNamed('ada')) {
    const bytes = Buffer.isBuffer(report) ? report : Buffer.from(JSON.stringify(report));
    const file = this.uploads.add(bytes, 'gl-report.json');
    return this.call(uploadSecurityReport, { id: String(project.id), file, ...given }, this.as(project, caller));
  }

  /** Resolves when its findings are stored. */
  async ingest(project: ProjectRef, report: unknown, given: object = {}, caller = callerNamed('ada')) {
    const { id } = await this.upload(project, report, given, caller);
    await this.finished(project, id);
    return id;
  }

  finished(project: ProjectRef, reportId: number, withinMs?: number): Promise<unknown> {
    const asked = { id: String(project.id), report_id: reportId };
    const isFinished = async () =>
      (await this.call(getSecurityReport, asked, this.as(project))).status === 'finished' || undefined;
    return eventually(isFinished, 'the vulnerabilities', withinMs);
  }

  list(project: ProjectRef, given: object = {}) {
    return listAll((page) =>
      this.call(listProjectVulnerabilities, { id: String(project.id), ...given, ...page }, this.as(project)),
    );
  }
}

export async function startSecurityService(settings: Record<string, string> = {}) {
  const folder = temporaryFolder('security');
  const uploads = await UploadStore.start();
  const under: ServiceUnderTest = await startServiceUnderTest(service, {
    OBJECT_STORAGE_DIR: folder,
    ...settings,
  });
  const bed = new SecurityBed(under, uploads);
  const stop = async () => {
    await under.stop();
    await uploads.stop();
    await removeTemporaryFolder(folder);
  };
  return { bed, under, folder, stop };
}

/** For separate processes, which can be killed. */
export async function prepareSecurityReplicas(settings: Record<string, string> = {}) {
  const folder = temporaryFolder('security');
  const uploads = await UploadStore.start();
  const replicas: Replicas = await prepareReplicas(path.resolve(__dirname, '..'), {
    OBJECT_STORAGE_DIR: folder,
    ...settings,
  });
  const bed = new SecurityBed(replicas, uploads);
  const stop = async () => {
    await replicas.stop();
    await uploads.stop();
    await removeTemporaryFolder(folder);
  };
  return { bed, replicas, folder, stop };
}
