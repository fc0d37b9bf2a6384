import {
  Access,
  type Caller,
  callerInput,
  ciSource,
  getInstanceTemplate,
  type InputOf,
  isError,
  isFeatureOpen,
  isReadable,
  listTags,
  type ProjectRef,
  projectErrors,
  reaches,
  readWebAddress,
  resolveProject,
  templateErrors,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { OutboundPolicies, sendRequest } from '@moothall/outbound';
import { callerOf, UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { type Component, highestOf, pathsOf, prefixOf } from './component';
import type { IncludedFile } from './include';
import { PipelineFileError } from './job-spec';

type ArtifactFile = Extract<IncludedFile, { kind: 'artifact' }>;

/** The user who reads files, and the commit for files of the project itself. */
export interface Reader {
  project: ProjectRef;
  at: Pick<InputOf<typeof ciSource>, 'ref' | 'ref_type' | 'merge_request_iid' | 'sha'>;
  /** Null without a user: then other projects are read like by the public. */
  caller: Pick<Caller, 'id' | 'isAdmin'> | null;
  /** The base commit of the changes of a push or merge request; null if there is none. */
  changedSince: string | null;
  /** Reads artifacts of the parent pipeline; absent without one. @throws PipelineFileError for a missing file */
  readArtifact?: (file: ArtifactFile, maxBytes: number) => Promise<string>;
}

const remoteTimeoutMs = 5_000;
/** Errors of git for missing revisions and repositories. */
export const isAbsence = (error: unknown): boolean =>
  ['git.object_id_unsupported', 'git.repository_not_found'].some((code) => isError(error, { code }));

/** Reads the files that pipeline files include. */
@Injectable()
export class IncludedFileReader {
  constructor(
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly policies: OutboundPolicies,
  ) {}

  /** @throws PipelineFileError for a file that is missing or that the reader may not see */
  read(file: IncludedFile, reader: Reader, maxBytes: number): Promise<string> {
    if (file.kind === 'remote') return this.readRemote(file.url, maxBytes);
    if (file.kind === 'template') return this.readTemplate(file.name);
    if (file.kind === 'component') return this.readComponent(file, reader, maxBytes);
    if (file.kind === 'artifact') return readArtifact(file, reader, maxBytes);
    if (file.kind === 'project') return this.readOfProject(file, reader, maxBytes);
    return this.readLocal(file.path, reader, maxBytes);
  }

  private async readLocal(path: string, { project, at }: Reader, maxBytes: number): Promise<string> {
    const found = await this.client.call(ciSource, { ...at, path, max_bytes: maxBytes }, { project });
    return contentOf(found, `Local file \`${path}\``);
  }

  private async readOfProject(
    { project: name, ref, path }: Extract<IncludedFile, { kind: 'project' }>,
    { caller }: Reader,
    maxBytes: number,
  ): Promise<string> {
    const project = await this.findProject(name, caller);
    if (!project) {
      throw new PipelineFileError(
        `Project \`${name}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`,
      );
    }
    const at = ref ?? project.defaultBranch ?? '';
    const asked = { ref: project.defaultBranch ?? at, sha: at, path, max_bytes: maxBytes };
    const found = at === '' ? null : await this.client.call(ciSource, asked, { project }).catch(nullIf(isAbsence));
    if (!found) throw new PipelineFileError(`Project \`${name}\` reference \`${at}\` does not exist!`);
    return contentOf(found, `Project \`${name}\` file \`${path}\``);
  }

  private async readComponent(component: Component, { caller }: Reader, maxBytes: number): Promise<string> {
    const { project: path, name, version } = component;
    const what = `Component \`${path}/${name}@${version}\``;
    const project = await this.findProject(path, caller);
    if (!project) throw new PipelineFileError(`${what} not found or access denied!`);
    const prefix = prefixOf(version);
    const at = prefix === undefined ? version : await this.highestVersion(project, prefix);
    if (at === undefined) throw new PipelineFileError(`${what}: no tag of the project is such a version`);
    for (const each of pathsOf(component)) {
      const asked = { ref: project.defaultBranch ?? at, sha: at, path: each, max_bytes: maxBytes };
      const found = await this.client.call(ciSource, asked, { project }).catch(nullIf(isAbsence));
      if (!found) throw new PipelineFileError(`${what}: the version does not exist`);
      if (found.content !== null || found.is_too_large) return contentOf(found, what);
    }
    throw new PipelineFileError(`${what}: there is no ${pathsOf(component).join(' and no ')}`);
  }

  /** Of the newest tags with that prefix. */
  private async highestVersion(project: ProjectRef, prefix: string): Promise<string | undefined> {
    const asked = { id: String(project.id), per_page: 100, ...(prefix && { search: `^${prefix}` }) };
    const { items } = await this.client.call(listTags, asked, { project });
    return highestOf(items.map(({ name }) => name));
  }

  /** The project of that path, if the caller may read its code. */
  async findProject(name: string, caller: Reader['caller']): Promise<ProjectRef | undefined> {
    const principal = await this.findPrincipal(caller);
    const found = await this.client
      .call(resolveProject, { project: name, ...callerInput(principal) })
      .catch(nullIf((error) => isError(error, projectErrors.notFound)));
    return found && readsCode(found.project, principal) ? found.project : undefined;
  }

  private async findPrincipal(caller: Reader['caller']): Promise<Caller | undefined> {
    const user = caller && (await this.users.records([caller.id])).get(caller.id);
    return user ? { ...callerOf(user), isAdmin: caller.isAdmin } : undefined;
  }

  private async readTemplate(name: string): Promise<string> {
    const key = name.replace(/\.gitlab-ci\.yml$/, '');
    const found = key
      ? await this.client
          .call(getInstanceTemplate, { type: 'gitlab_ci_ymls', key })
          .catch(nullIf((error) => isError(error, templateErrors.notFound)))
      : null;
    if (!found) throw new PipelineFileError(`Template file \`${name}\` is not a valid location!`);
    return found.content;
  }

  private async readRemote(address: string, maxBytes: number): Promise<string> {
    const url = readWebAddress(address);
    if (!url) {
      throw new PipelineFileError(`Remote file \`${address}\` does not have a valid address!`);
    }
    const request = { method: 'GET', url, headers: {}, body: '', verifiesTls: true };
    const bounds = { policy: await this.policies.ofServices(), timeoutMs: remoteTimeoutMs, mostBytes: maxBytes + 1 };
    const answer = await sendRequest({ ...request, ...bounds }).catch((error: unknown) => {
      throw new PipelineFileError(`Remote file \`${address}\` could not be fetched: ${(error as Error).message}`);
    });
    if (answer.status !== 200) {
      throw new PipelineFileError(
        `Remote file \`${address}\` could not be fetched because of HTTP code \`${answer.status}\` error!`,
      );
    }
    if (answer.body.length > maxBytes) throw new PipelineFileError(`Remote file \`${address}\` is too big`);
    return answer.body.toString('utf8');
  }
}

async function readArtifact(file: ArtifactFile, reader: Reader, maxBytes: number): Promise<string> {
  if (!reader.readArtifact) {
    throw new PipelineFileError('Artifacts can be included by `trigger:include` of a job only');
  }
  return reader.readArtifact(file, maxBytes);
}

export const nullIf =
  (isAbsent: (error: unknown) => boolean) =>
  (error: unknown): null => {
    if (isAbsent(error)) return null;
    throw error;
  };

function readsCode(project: ProjectRef, caller: Caller | undefined): boolean {
  if (!isReadable(project, caller) || !isFeatureOpen(project, 'repository')) return false;
  return project.visibility !== 'private' || reaches(project, Access.Reporter, 'read_code');
}

function contentOf(found: { content: string | null; is_too_large: boolean } | null, what: string): string {
  if (found?.is_too_large) throw new PipelineFileError(`${what} is too big`);
  if (!found || found.content === null) throw new PipelineFileError(`${what} does not exist!`);
  return found.content;
}
