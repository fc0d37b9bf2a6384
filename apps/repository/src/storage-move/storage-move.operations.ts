import {
  type Caller,
  type ContextOf,
  getProjectStorageMove,
  getStorageMove,
  listProjectStorageMoves,
  listStorageMoves,
  listStorages,
  type ParsedOf,
  type ProjectRef,
  projectRefs,
  resolveProject,
  type StorageMove as StorageMoveView,
  scheduleStorageMove,
  scheduleStorageMoves,
  storageMoveErrors,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { Repositories } from '../record/repository.repository';
import { RepositoryMover } from './move-repository';
import { StorageMoves } from './storage-move.repository';
import type { StorageMove } from './storage-move.schema';

@Controller()
export class StorageMoveOperations {
  constructor(
    private readonly moves: StorageMoves,
    private readonly mover: RepositoryMover,
    private readonly repositories: Repositories,
    private readonly client: OperationClient,
  ) {}

  @Handles(listStorageMoves)
  async list(_: ContextOf<typeof listStorageMoves>, input: ParsedOf<typeof listStorageMoves>) {
    const { items, total } = await this.moves.page({}, input);
    return { items: items.map(view), total };
  }

  @Handles(getStorageMove)
  async get(_: ContextOf<typeof getStorageMove>, { move_id }: ParsedOf<typeof getStorageMove>) {
    return view(await this.moves.get(move_id));
  }

  @Handles(listProjectStorageMoves)
  async listOfProject(
    { caller }: ContextOf<typeof listProjectStorageMoves>,
    input: ParsedOf<typeof listProjectStorageMoves>,
  ) {
    const project = await this.resolve(input.id, caller);
    const { items, total } = await this.moves.page({ projectId: project.id }, input);
    return { items: items.map(view), total };
  }

  @Handles(getProjectStorageMove)
  async getOfProject(
    { caller }: ContextOf<typeof getProjectStorageMove>,
    input: ParsedOf<typeof getProjectStorageMove>,
  ) {
    const project = await this.resolve(input.id, caller);
    return view(await this.moves.get(input.move_id, project.id));
  }

  @Handles(scheduleStorageMove)
  async schedule({ caller }: ContextOf<typeof scheduleStorageMove>, input: ParsedOf<typeof scheduleStorageMove>) {
    const project = await this.resolve(input.id, caller);
    const destination = await this.destinationFor(project.storage, input.destination_storage_name);
    const move = project.isReadOnly ? null : await this.moves.add(project, destination);
    if (!move) throw storageMoveErrors.projectReadOnly();
    await this.mover.begin(move);
    return view(move);
  }

  @Handles(scheduleStorageMoves)
  async scheduleAll(
    { caller }: ContextOf<typeof scheduleStorageMoves>,
    { source_storage_name: source, destination_storage_name }: ParsedOf<typeof scheduleStorageMoves>,
  ) {
    const destination = await this.destinationFor(source, destination_storage_name);
    for await (const ids of this.repositories.idsOn(source)) {
      const principal = { user_id: caller.id, is_admin: true };
      for (const project of await this.client.call(projectRefs, { ids, ...principal })) {
        const move = project.isReadOnly ? null : await this.moves.add(project, destination);
        if (move) await this.mover.begin(move);
      }
    }
    return { message: '202 Accepted' };
  }

  @Handles(listStorages)
  async storages() {
    return { names: await this.moves.storageNames() };
  }

  /** @throws storage_move.destination_unknown */
  private async destinationFor(source: string, wanted: string | undefined): Promise<string> {
    const others = (await this.moves.storageNames()).filter((name) => name !== source);
    const destination = wanted === undefined ? others[0] : others.find((name) => name === wanted);
    if (destination === undefined) throw storageMoveErrors.destinationUnknown();
    return destination;
  }

  private async resolve(id: string, caller: Caller): Promise<ProjectRef> {
    const principal = { user_id: caller.id, is_admin: true };
    return (await this.client.call(resolveProject, { project: id, ...principal })).project;
  }
}

const view = (move: StorageMove): z.infer<typeof StorageMoveView> => ({
  id: move._id,
  created_at: move.createdAt.toISOString(),
  state: move.state,
  source_storage_name: move.source,
  destination_storage_name: move.destination,
  error_message: move.error,
  project: {
    id: move.projectId,
    description: move.project.description,
    name: move.project.name,
    name_with_namespace: move.project.nameWithNamespace,
    path: move.project.path,
    path_with_namespace: move.project.fullPath,
    created_at: move.project.createdAt,
  },
});
