import {
  addProjectDeployKey,
  type ContextOf,
  createPublicDeployKey,
  deployKeyErrors,
  enableProjectDeployKey,
  type ParsedOf,
  type ResultOf,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type PublicKey, parsePublicKey, UnusableKey } from '../ssh-key/parse-public-key';
import { keyProblems, SshKeys } from '../ssh-key/ssh-key.repository';
import type { Enablement, SshKey } from '../ssh-key/ssh-key.schema';
import { AccessibleKeys } from './accessible';
import { DeployKeys } from './deploy-key.repository';
import { viewDeployKey, viewProjectDeployKey } from './deploy-key.view';
import { KeyTaken, refuseKey } from './refused-key';

type AddContext = ContextOf<typeof addProjectDeployKey>;
type AddInput = ParsedOf<typeof addProjectDeployKey>;

@Controller()
export class AddDeployKey {
  constructor(
    private readonly keys: SshKeys,
    private readonly deployKeys: DeployKeys,
    private readonly accessible: AccessibleKeys,
  ) {}

  @Handles(addProjectDeployKey)
  async toProject(context: AddContext, input: AddInput): Promise<ResultOf<typeof addProjectDeployKey>> {
    const publicKey = read(input.key);
    const present = await this.keys.findByFingerprint({ sha256: publicKey.sha256 });
    const key = present ? await this.join(present, context, input) : await this.makeOrJoin(publicKey, context, input);
    return viewProjectDeployKey(key, context.project.id);
  }

  @Handles(createPublicDeployKey)
  async forEverybody(
    { caller }: ContextOf<typeof createPublicDeployKey>,
    input: ParsedOf<typeof createPublicDeployKey>,
  ): Promise<ResultOf<typeof createPublicDeployKey>> {
    return viewDeployKey(await this.insert(read(input.key), caller.id, input, true, []));
  }

  @Handles(enableProjectDeployKey)
  async enable(
    { caller, project }: ContextOf<typeof enableProjectDeployKey>,
    { key_id }: ParsedOf<typeof enableProjectDeployKey>,
  ): Promise<ResultOf<typeof enableProjectDeployKey>> {
    const key = await this.deployKeys.find(key_id);
    if (!key || !(await this.accessible.includes(key, caller))) throw deployKeyErrors.notFound();
    await this.deployKeys.enable(key._id, await this.deployKeys.newEnablement(project.id, false));
    return viewDeployKey(await this.deployKeys.getOfProject(project.id, key._id));
  }

  /** Two projects may add the same new key concurrently: the second one enables the key that the first one created. */
  private async makeOrJoin(publicKey: PublicKey, context: AddContext, input: AddInput): Promise<SshKey> {
    try {
      return await this.make(publicKey, context, input);
    } catch (error) {
      const present = error instanceof KeyTaken && (await this.keys.findByFingerprint({ sha256: publicKey.sha256 }));
      if (!present) throw error;
      return this.join(present, context, input);
    }
  }

  private async make(publicKey: PublicKey, { caller, project }: AddContext, input: AddInput): Promise<SshKey> {
    const enablement = await this.deployKeys.newEnablement(project.id, input.can_push);
    return this.insert(publicKey, caller.id, input, false, [enablement]);
  }

  /**
   * A key that the project already has is returned; a key of another project is enabled if the caller may use it there.
   */
  private async join(key: SshKey, { caller, project }: AddContext, { can_push }: AddInput): Promise<SshKey> {
    if (key.enablements.some(({ projectId }) => projectId === project.id)) return key;
    if (key.kind !== 'deploy' || !(await this.accessible.includes(key, caller))) throw new KeyTaken();
    await this.deployKeys.enable(key._id, await this.deployKeys.newEnablement(project.id, can_push));
    return this.deployKeys.getOfProject(project.id, key._id);
  }

  private async insert(
    publicKey: PublicKey,
    userId: number,
    { title, expires_at }: { title: string; expires_at?: string | null | undefined },
    isPublic: boolean,
    enablements: Enablement[],
  ): Promise<SshKey> {
    const expiresAt = expires_at ? new Date(expires_at) : null;
    refuseKey(keyProblems({ title, expiresAt }));
    try {
      return await this.keys.add({ kind: 'deploy', userId, title, expiresAt, isPublic, enablements }, publicKey);
    } catch (error) {
      throw isDuplicateKey(error) ? new KeyTaken() : error;
    }
  }
}

function read(text: string): PublicKey {
  try {
    return parsePublicKey(text);
  } catch (error) {
    if (error instanceof UnusableKey) refuseKey(error.problems);
    throw error;
  }
}
