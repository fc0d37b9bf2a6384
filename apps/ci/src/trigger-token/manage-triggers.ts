import {
  type Caller,
  type ContextOf,
  createTrigger,
  deleteTrigger,
  getTrigger,
  listTriggers,
  type OutputOf,
  only,
  type ParsedOf,
  updateTrigger,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { requireActive } from '../pipeline/pipeline-rules';
import type { TriggerToken } from './trigger-token.schema';
import { TriggerTokens } from './trigger-tokens';

type Target = ContextOf<typeof createTrigger>;
type View = OutputOf<typeof getTrigger>;

/** The number of characters of a token that others than the owner see. */
const shownLength = 4;

@Controller()
export class ManageTriggers {
  constructor(
    private readonly triggers: TriggerTokens,
    private readonly users: UserDirectory,
    private readonly box: SecretBox,
  ) {}

  @Handles(listTriggers)
  async list({ project, caller }: Target, input: ParsedOf<typeof listTriggers>) {
    const { items, ...rest } = await this.triggers.page(project.id, input);
    return { ...rest, items: await this.view(items, caller) };
  }

  @Handles(getTrigger)
  async get({ project, caller }: Target, { trigger_id }: ParsedOf<typeof getTrigger>) {
    return this.viewOne(await this.triggers.get(project.id, trigger_id), caller);
  }

  @Handles(createTrigger)
  async create({ project, caller }: Target, { description }: ParsedOf<typeof createTrigger>) {
    requireActive(project);
    return this.viewOne(await this.triggers.add(project.id, caller.id, description), caller);
  }

  @Handles(updateTrigger)
  async update({ project, caller }: Target, { trigger_id, description }: ParsedOf<typeof updateTrigger>) {
    requireActive(project);
    const found =
      description === undefined
        ? await this.triggers.get(project.id, trigger_id)
        : await this.triggers.describe(project.id, trigger_id, description);
    return this.viewOne(found, caller);
  }

  @Handles(deleteTrigger)
  async delete({ project }: Target, { trigger_id }: ParsedOf<typeof deleteTrigger>): Promise<void> {
    requireActive(project);
    await this.triggers.remove(project.id, trigger_id);
  }

  private async viewOne(trigger: TriggerToken, caller: Caller): Promise<View> {
    return only(await this.view([trigger], caller));
  }

  private async view(triggers: TriggerToken[], caller: Caller): Promise<View[]> {
    const owners = await this.users.summaries(triggers.map(({ ownerId }) => ownerId));
    return triggers.map(({ _id, ownerId, description, sealed, createdAt, updatedAt, lastUsedAt }) => {
      const token = this.box.open(sealed);
      return {
        id: _id,
        token: ownerId === caller.id ? token : token.slice(0, shownLength),
        description,
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
        deleted_at: null,
        last_used: lastUsedAt?.toISOString() ?? null,
        owner: owners.get(ownerId) ?? null,
      };
    });
  }
}
