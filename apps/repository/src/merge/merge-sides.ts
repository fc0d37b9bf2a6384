import { copiedRefsChanged, mergeRequestRef, type ProjectRef } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { RepositoryCopies } from '../copies/bring-objects';
import { GitError } from '../git/process/errors';
import { type Located, Storages } from '../storage/storages';

export interface SidesInput {
  source_branch: string;
  source_project?: { id: number; storage: string } | undefined;
  target_branch: string;
  iid?: number | undefined;
}

/** The heads of both branches, as commits of the target's repository; null for a missing branch. */
export interface Sides {
  located: Located;
  source: string | null;
  target: string | null;
}

/** Finds the two sides of a merge, and copies commits of a fork into the target. */
@Injectable()
export class MergeSides {
  private readonly log = new Logger(MergeSides.name);

  constructor(
    private readonly storages: Storages,
    private readonly copies: RepositoryCopies,
    private readonly publisher: EventPublisher,
  ) {}

  async find(project: ProjectRef, input: SidesInput): Promise<Sides> {
    const located = this.storages.locate(project);
    const target = await tipOf(located, input.target_branch);
    const fork = forkOf(project, input);
    const source = fork
      ? await this.copies.bringBranch(located, fork, input.source_branch)
      : await tipOf(located, input.source_branch);
    if (source && input.iid && (await keepHead(located, input.iid, source))) await this.publishCopies(project.id);
    return { located, source, target };
  }

  /** A secondary that misses this event finds the difference at its next verification. */
  private async publishCopies(project_id: number): Promise<void> {
    const published = this.publisher.publish(newEvent(copiedRefsChanged, { project_id, kind: 'code' }));
    await published.catch((error: unknown) =>
      this.log.warn(`the event about refs of project ${project_id} was not published: ${error}`),
    );
  }
}

/** The project of the source, if it is not the target. */
const forkOf = ({ id }: Pick<ProjectRef, 'id'>, { source_project }: SidesInput) =>
  source_project?.id === id ? undefined : source_project;

export const isFork = (project: Pick<ProjectRef, 'id'>, input: SidesInput): boolean =>
  forkOf(project, input) !== undefined;

export async function tipOf({ engine, path }: Located, branch: string): Promise<string | null> {
  return (await engine.refs.find(path, 'heads', branch))?.commitId ?? null;
}

const mostTries = 5;

/**
 * Stores the head under a ref, so that the merge request can be shown after its branch is deleted. Concurrent calls are
 * possible.
 * @returns whether it changed
 */
async function keepHead({ engine, path }: Located, iid: number, after: string): Promise<boolean> {
  const refName = mergeRequestRef(iid);
  for (let tries = 1; ; tries++) {
    const before = (await engine.objects.readRef(path, refName))?.id ?? null;
    if (before === after) return false;
    try {
      await engine.refs.update(path, [{ refName, before, after }]);
      return true;
    } catch (error) {
      if (!(error instanceof GitError && error.reason === 'ref_moved') || tries === mostTries) throw error;
    }
  }
}
