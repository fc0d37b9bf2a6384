import {
  type ContextOf,
  invalidRecord,
  type ParsedOf,
  type Project,
  projectChanged,
  projectErrors,
  scheduleStorageMove,
  setDefaultBranch,
  updateProject,
} from '@moothall/contracts';
import { changeDocument, newEvent, Outbox } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Avatars } from '../../image/avatars';
import { InstanceSettings } from '../../instance/application-settings/instance-settings';
import { Namespaces } from '../../namespace/namespace.repository';
import { nameProblems, projectPathProblems } from '../../namespace/path-rules';
import { Routes } from '../../namespace/routes';
import { below } from '../../namespace/set-below';
import { shownBefore } from '../../namespace/shown-before';
import { requireUnrestricted, requireVisibilityWithin } from '../../namespace/visibility-rules';
import { cleanupPolicyOf, nextCleanup } from '../cleanup-policy';
import { deriveProject } from '../derive-project';
import { featuresOf } from '../features';
import { requireAdminForStorage, requireShortDescription, settingsOf, topicsOf } from '../new-project';
import { Projects } from '../project.repository';
import type { ProjectDocument } from '../project.schema';
import { ProjectViews } from '../project.view';
import { changedTopics, ProjectTopics } from '../project-topics';
import { pathTaken } from '../write-project';

type Input = ParsedOf<typeof updateProject>;
type Context = ContextOf<typeof updateProject>;

/** Changes names, place, visibility and settings of a project. */
@Controller()
export class UpdateProject {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly client: OperationClient,
    private readonly avatars: Avatars,
    private readonly instance: InstanceSettings,
    private readonly views: ProjectViews,
    private readonly topics: ProjectTopics,
  ) {}

  @Handles(updateProject)
  async handle(context: Context, input: Input): Promise<Project> {
    const { caller } = context;
    const project = await this.projects.get(context.project.id);
    const namespace = await this.namespaces.get(project.namespaceId);
    requireAdminForStorage(input.repository_storage, caller.isAdmin);
    requireShortDescription(input.description);
    if (input.visibility && input.visibility !== project.visibility) {
      requireVisibilityWithin(input.visibility, namespace);
      const { restricted_visibility_levels } = await this.instance.read();
      requireUnrestricted(input.visibility, restricted_visibility_levels, caller.isAdmin);
    }
    requireValidNames(input);

    const avatar = await this.avatars.take('project', project._id, input.avatar, project.avatar);
    const defaultBranch = await this.chooseBranch(context, project, input.default_branch);
    await this.moveTo(input.repository_storage, project, context);
    const topics = topicsOf(input);
    const changes = {
      ...changesOf(input),
      ...(topics && { topics: await this.topics.known(topics) }),
      ...(defaultBranch !== undefined && { defaultBranch }),
      ...(avatar !== undefined && { avatar }),
    };
    const updated = await this.write(project._id, input, changes, caller.id);
    return this.views.one(updated, caller);
  }

  /**
   * The place of a project depends on its namespace and names, and the cleanup date on the whole policy: concurrent
   * requests may change these.
   */
  private async write(
    _id: number,
    input: Input,
    changes: Partial<ProjectDocument>,
    actor_id: number,
  ): Promise<ProjectDocument> {
    const { model } = this.projects;
    const updated = await changeDocument<ProjectDocument>(
      model,
      { _id },
      [
        'name',
        'path',
        'fullPath',
        'namespaceId',
        'containerExpirationPolicy',
        ...(changes.topics ? (['topics'] as const) : []),
      ],
      async (current) => ({
        $set: { ...(await this.placing(current, input)), ...changes, ...cleanupOf(current, input) },
      }),
      async (unchanged, update, current) => {
        const after = { ...current, ...update.$set } as ProjectDocument;
        const change = after.fullPath === current.fullPath ? 'updated' : 'renamed';
        const what = { project_id: _id, full_path: after.fullPath, change, actor_id } as const;
        const event = newEvent(projectChanged, { ...what, before: shownBefore(current, after) });
        const topics = changedTopics(current.topics, after.topics);
        return this.topics.whileChanging(topics, () => this.outbox.update(model, unchanged, update, event));
      },
    );
    if (!updated) throw projectErrors.notFound();
    if (input.path !== undefined) await this.routes.settleOrLeave(updated.fullPath, { kind: 'project', targetId: _id });
    return updated;
  }

  /** Fields of the place for a new name or path; the path is reserved. @throws common.invalid_record */
  private async placing(current: ProjectDocument, { name, path }: Input): Promise<Partial<ProjectDocument>> {
    const isMoving = path !== undefined && path !== current.path;
    const isNamed = name !== undefined && name !== current.name;
    if (!isMoving && !isNamed) return {};
    const namespace = await this.namespaces.get(current.namespaceId);
    const derived = deriveProject({ name: name ?? current.name, path: path ?? current.path }, namespace);
    const target = { kind: 'project', targetId: current._id, storage: current.storage } as const;
    if (isMoving && !(await this.routes.claim(derived.fullPath, target))) throw pathTaken();
    return derived;
  }

  /** The storage changes when the move is done, not before. @throws storage_move.destination_unknown */
  private async moveTo(
    storage: string | undefined,
    project: ProjectDocument,
    { caller, requestId, ...context }: Context,
  ) {
    if (storage === undefined || storage === project.storage) return;
    const input = { id: String(project._id), destination_storage_name: storage };
    await this.client.call(scheduleStorageMove, input, { caller, requestId, project: context.project });
  }

  /** The default branch is stored as HEAD of the repository. */
  private async chooseBranch(context: Context, project: ProjectDocument, branch: string | undefined) {
    if (!branch || branch === project.defaultBranch) return undefined;
    const input = { project_id: project._id, branch };
    const { default_branch } = await this.client.call(setDefaultBranch, input, {
      requestId: context.requestId,
      project: context.project,
    });
    return default_branch;
  }
}

function requireValidNames({ name, path }: Pick<Input, 'name' | 'path'>): void {
  const problems: Record<string, string[]> = {
    ...(name !== undefined && { name: nameProblems(name) }),
    ...(path !== undefined && { path: projectPathProblems(path) }),
  };
  const found = Object.entries(problems).filter(([, texts]) => texts.length > 0);
  if (found.length > 0) throw invalidRecord(Object.fromEntries(found));
}

/** Changes other than names and default branch; field by field, so that concurrent updates are both applied. */
function changesOf(input: Input) {
  return {
    ...(input.description !== undefined && { description: input.description || null }),
    ...(input.visibility && { visibility: input.visibility }),
    ...below('features', featuresOf(input)),
    ...below('settings', settingsOf(input)),
  };
}

/** A changed policy is due after a full interval. @throws common.invalid_record */
function cleanupOf({ containerExpirationPolicy }: ProjectDocument, input: Input) {
  if (!input.container_expiration_policy_attributes) return {};
  const policy = cleanupPolicyOf(input.container_expiration_policy_attributes);
  return {
    ...below('containerExpirationPolicy', policy),
    cleanupAt: nextCleanup({ ...containerExpirationPolicy, ...policy }, new Date()),
  };
}
