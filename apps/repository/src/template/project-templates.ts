import { type Caller, getFile, listTree, OperationError, type ProjectRef, present } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/** Folders of a project's own templates, and their file extensions. */
const places: Record<string, { folder: string; ending: string }> = {
  dockerfiles: { folder: '.gitlab/Dockerfile', ending: '.dockerfile' },
  gitignores: { folder: '.gitlab/gitignore', ending: '.gitignore' },
  gitlab_ci_ymls: { folder: '.gitlab/gitlab-ci', ending: '.yml' },
  licenses: { folder: '.gitlab/LICENSE', ending: '.txt' },
  metrics_dashboard_ymls: { folder: '.gitlab/dashboards', ending: '.yml' },
  issues: { folder: '.gitlab/issue_templates', ending: '.md' },
  merge_requests: { folder: '.gitlab/merge_request_templates', ending: '.md' },
};
/** A template project has the first four folders at its root. */
const templateProjectPrefix = /^\.gitlab\/(?=Dockerfile|gitignore|gitlab-ci|LICENSE)/;

interface Reader {
  project: ProjectRef;
  caller?: Caller | undefined;
  requestId: string;
}

/**
 * Templates in the default branch of projects, read through the public operations: the project may be on any storage.
 */
@Injectable()
export class ProjectTemplates {
  constructor(private readonly client: OperationClient) {}

  /** Names without their extension, sorted. @param isTemplateProject its files are also searched at its root */
  async names(reader: Reader, type: string, isTemplateProject = false): Promise<string[]> {
    const { ending } = present(places[type], type);
    const names: string[] = [];
    for (const path of foldersOf(type, isTemplateProject)) {
      const input = { id: String(reader.project.id), path, per_page: 100 };
      const listed = await this.client.call(listTree, input, reader).catch(none);
      const files = listed?.items.filter((entry) => entry.type === 'blob' && entry.name.endsWith(ending)) ?? [];
      names.push(...files.map(({ name }) => name.slice(0, -ending.length)));
    }
    return [...new Set(names)].sort((a, b) => a.localeCompare(b));
  }

  /** @param isTemplateProject its files are also searched at its root */
  async content(reader: Reader, type: string, name: string, isTemplateProject = false): Promise<string | undefined> {
    const { ending } = present(places[type], type);
    for (const place of foldersOf(type, isTemplateProject)) {
      const file_path = `${place}/${name}${ending}`;
      const input = { id: String(reader.project.id), file_path, ref: reader.project.defaultBranch ?? 'HEAD' };
      const file = await this.client.call(getFile, input, reader).catch(none);
      if (file) return Buffer.from(file.content, 'base64').toString('utf8');
    }
    return undefined;
  }
}

function foldersOf(type: string, isTemplateProject: boolean): Set<string> {
  const { folder } = present(places[type], type);
  return new Set(isTemplateProject ? [folder.replace(templateProjectPrefix, ''), folder] : [folder]);
}

/** A missing folder, file or commit means no template; other errors are passed on. */
function none(error: unknown): undefined {
  const isRefusal = error instanceof OperationError && /^(repository_content|git)\./.test(error.code);
  if (!isRefusal) throw error;
}
