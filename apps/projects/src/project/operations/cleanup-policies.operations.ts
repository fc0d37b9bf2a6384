import { type ContextOf, dueCleanupPolicies, type ParsedOf, passCleanupPolicy } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { nextCleanup } from '../cleanup-policy';
import { Projects } from '../project.repository';

/** Finds due cleanup policies of container images; the registry service deletes the images. */
@Controller()
export class CleanupPolicies {
  constructor(private readonly projects: Projects) {}

  @Handles(dueCleanupPolicies)
  async due(_: ContextOf<typeof dueCleanupPolicies>, { limit }: ParsedOf<typeof dueCleanupPolicies>) {
    const projects = await this.projects.withCleanupDue(new Date(), limit);
    return projects.flatMap(({ _id, cleanupAt, containerExpirationPolicy: policy }) =>
      cleanupAt ? { project_id: _id, run_at: cleanupAt.toISOString(), policy } : [],
    );
  }

  @Handles(passCleanupPolicy)
  async pass(_: ContextOf<typeof passCleanupPolicy>, input: ParsedOf<typeof passCleanupPolicy>) {
    const { containerExpirationPolicy } = await this.projects.get(input.project_id);
    const next = nextCleanup(containerExpirationPolicy, new Date());
    await this.projects.passCleanup(input.project_id, new Date(input.run_at), next);
    return {};
  }
}
