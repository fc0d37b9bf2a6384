import { type ContextOf, type ParsedOf, runTrigger, triggerErrors } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RunPipeline } from '../pipeline/run-pipeline';
import { RunPermissions } from '../trigger/run-permissions';
import { TriggerTokens } from './trigger-tokens';

@Controller()
export class RunTrigger {
  constructor(
    private readonly triggers: TriggerTokens,
    private readonly runPermissions: RunPermissions,
    private readonly running: RunPipeline,
  ) {}

  /** A token of another project reveals no more than no token. */
  @Handles(runTrigger)
  async handle(_context: ContextOf<typeof runTrigger>, { id, ref, token, variables }: ParsedOf<typeof runTrigger>) {
    const { _id, projectId, ownerId } = await this.triggers.getByToken(token);
    const runPermission = await this.runPermissions.find(ownerId, projectId);
    if ('reason' in runPermission) throw triggerErrors.unknownToken();
    const { project, isAdmin } = runPermission;
    const isMeant = id === String(project.id) || id.toLowerCase() === project.fullPath.toLowerCase();
    if (!isMeant || project.features.builds === 'disabled') throw triggerErrors.unknownToken();
    const given = Object.entries(variables).map(([key, value]) => ({ key, value, variable_type: 'env_var' as const }));
    const asked = { project, ref, source: 'trigger' as const, userId: ownerId, isAdmin };
    const pipeline = await this.running.run(asked, given);
    await this.triggers.noteUse(_id);
    return pipeline;
  }
}
