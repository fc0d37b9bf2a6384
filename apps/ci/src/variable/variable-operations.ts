import {
  type GroupRef,
  type InstanceVariable,
  invalidRecord,
  type Page,
  type ProjectRef,
  projectErrors,
} from '@moothall/contracts';
import { KnownPlanLimits } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import type { StoredVariable } from './stored-variable.schema';
import { StoredVariables } from './stored-variables';
import { ownerOf } from './variable-owner';
import { keyProblems, maskProblems } from './variable-rules';

interface Parent {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
}
type Facts = Omit<InstanceVariable, 'key' | 'description'>;
type Optional<T> = { [K in keyof T]?: T[K] | undefined };
interface Besides {
  description?: string | null | undefined;
  environment_scope?: string | undefined;
  masked_and_hidden?: boolean | undefined;
}
interface One {
  key: string;
  filter?: { environment_scope?: string | undefined } | undefined;
}

/** Dependencies of operations on variables. */
@Injectable()
export class VariableTools {
  constructor(
    readonly variables: StoredVariables,
    readonly box: SecretBox,
    readonly limits: KnownPlanLimits,
  ) {}
}

/** Operations on variables of projects, groups and the instance. @typeParam V the view of one */
export abstract class VariableOperations<V> {
  constructor(private readonly tools: VariableTools) {}

  async list(parent: Parent, input: { page: number; per_page: number }): Promise<Page<V>> {
    const { items, ...rest } = await this.tools.variables.page(ownerOf(parent), input);
    return { ...rest, items: items.map((variable) => this.view(variable)) };
  }

  async get(parent: Parent, input: One): Promise<V> {
    return this.view(await this.find(parent, input));
  }

  async create(parent: Parent, input: Facts & Besides & { key: string }): Promise<V> {
    requireWritable(parent);
    const problems = keyProblems(input.key);
    if (problems.length > 0) throw invalidRecord({ key: problems });
    const isHidden = input.masked_and_hidden ?? false;
    const isMasked = input.masked || isHidden;
    requireMaskable({ ...input, masked: isMasked });
    const facts = {
      key: input.key,
      sealed: this.tools.box.seal(input.value),
      variableType: input.variable_type,
      isProtected: input.protected,
      isMasked,
      ...(isHidden && { isHidden }),
      isRaw: input.raw,
      environmentScope: input.environment_scope ?? '*',
      description: input.description ?? null,
    };
    const owner = ownerOf(parent);
    const most = owner === 'instance' ? await this.tools.limits.most('ci_instance_level_variables') : undefined;
    return this.view(await this.tools.variables.add(owner, facts, most));
  }

  async update(parent: Parent, input: Optional<Facts> & Besides & One): Promise<V> {
    requireWritable(parent);
    const { _id, key } = await this.find(parent, input);
    const changed = await this.tools.variables.change(_id, key, (current) => {
      if (current.isHidden && input.masked === false) throw invalidRecord({ masked: ['must stay on if it is hidden'] });
      requireMaskable({
        value: input.value ?? this.tools.box.open(current.sealed),
        masked: input.masked ?? current.isMasked,
        raw: input.raw ?? current.isRaw,
      });
      return this.changesOf(input);
    });
    return this.view(changed);
  }

  async delete(parent: Parent, input: One): Promise<void> {
    requireWritable(parent);
    const { _id } = await this.find(parent, input);
    await this.tools.variables.remove(_id);
  }

  private find(parent: Parent, { key, filter }: One): Promise<StoredVariable> {
    return this.tools.variables.get(ownerOf(parent), key, filter?.environment_scope);
  }

  private changesOf(input: Optional<Facts> & Besides): Partial<StoredVariable> {
    return {
      ...(input.value !== undefined && { sealed: this.tools.box.seal(input.value) }),
      ...(input.variable_type !== undefined && { variableType: input.variable_type }),
      ...(input.protected !== undefined && { isProtected: input.protected }),
      ...(input.masked !== undefined && { isMasked: input.masked }),
      ...(input.raw !== undefined && { isRaw: input.raw }),
      ...(input.environment_scope !== undefined && { environmentScope: input.environment_scope }),
      ...(input.description !== undefined && { description: input.description }),
    };
  }

  private view(variable: StoredVariable): V {
    const { owner, key, sealed, environmentScope, description, isHidden = false } = variable;
    const view = {
      key,
      value: isHidden ? null : this.tools.box.open(sealed),
      variable_type: variable.variableType,
      protected: variable.isProtected,
      masked: variable.isMasked,
      raw: variable.isRaw,
      description,
      // The instance's are for all environments, and never hidden.
      ...(owner !== 'instance' && { environment_scope: environmentScope, hidden: isHidden }),
    };
    return view as V;
  }
}

/** @throws project.archived */
function requireWritable({ project }: Parent): void {
  if (project?.isArchived) throw projectErrors.archived();
}

/** @throws common.invalid_record for a value that a runner could not find in the output of a job */
function requireMaskable(variable: Pick<Facts, 'value' | 'masked' | 'raw'>): void {
  const problems = maskProblems(variable);
  if (problems.length > 0) throw invalidRecord({ value: problems });
}
