import { z } from 'zod';

/*
 * Rules of SARIF: a tool has them in its driver and in extensions, and results refer to them in several ways (SARIF
 * 2.1.0, 3.52).
 */

const text = z.string().nullish();
export const message = z.object({ text, id: text }).nullish();
export const level = z.enum(['none', 'note', 'warning', 'error']).nullish();
export const index = z.int().min(-1).nullish();
/** Tools use their own names for identifiers. */
export const properties = z.looseObject({
  'security-severity': z.union([z.string(), z.number()]).nullish(),
  tags: z.array(z.unknown()).nullish(),
});

export const rule = z.object({
  id: z.string(),
  guid: text,
  name: text,
  shortDescription: message,
  fullDescription: message,
  helpUri: text,
  defaultConfiguration: z.object({ level }).nullish(),
  messageStrings: z.record(z.string(), z.object({ text: z.string() })).nullish(),
  properties: properties.nullish(),
});
export type Rule = z.infer<typeof rule>;

/** Reference of a result to its rule, besides `ruleId` and `ruleIndex`. */
export const ruleReference = z.object({
  id: text,
  index,
  guid: text,
  toolComponent: z.object({ name: text, index, guid: text }).nullish(),
});

const component = z.object({ name: z.string(), organization: text, guid: text, rules: z.array(rule).nullish() });
export const tool = z.object({
  driver: component,
  extensions: z.array(component.extend({ name: text })).nullish(),
});

interface Naming {
  ruleId?: string | null | undefined;
  ruleIndex?: number | null | undefined;
  rule?: z.infer<typeof ruleReference> | null | undefined;
}

/** Limit of parts of a hierarchical id. */
const mostParts = 10;

/** The rules of a component, in order and by id. */
class Component {
  readonly rules: readonly Rule[];
  private readonly byId: ReadonlyMap<string, Rule>;

  constructor(
    readonly tool: {
      name?: string | null | undefined;
      guid?: string | null | undefined;
      rules?: Rule[] | null | undefined;
    },
  ) {
    this.rules = tool.rules ?? [];
    // The first of several with the same id wins.
    this.byId = new Map(this.rules.toReversed().map((one) => [one.id, one]));
  }

  /** `CA1000/1` is a part of the rule `CA1000`. */
  find(id: string): Rule | undefined {
    const parts = id.split('/', mostParts);
    const prefixes = parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
    return [id, ...prefixes].map((own) => this.byId.get(own)).find((found) => found !== undefined);
  }
}

/** The rules of one run's tool. */
export class ToolRules {
  private readonly driver: Component;
  private readonly extensions: readonly Component[];
  private readonly byGuid: ReadonlyMap<string, Rule>;

  constructor({ driver, extensions }: z.infer<typeof tool>) {
    this.driver = new Component(driver);
    this.extensions = (extensions ?? []).map((one) => new Component(one));
    const all = this.components.flatMap(({ rules }) => rules);
    this.byGuid = new Map(all.flatMap((one) => (one.guid ? [[one.guid, one] as const] : [])));
  }

  /** By index, if its rule has the id of the result; by guid; by id, first in the named component. */
  find({ ruleId, ruleIndex, rule: named }: Naming): Rule | undefined {
    const id = ruleId ?? named?.id ?? '';
    const home = this.componentOf(named?.toolComponent);
    const atIndex = home.rules[named?.index ?? ruleIndex ?? -1];
    if (atIndex && (id === '' || id === atIndex.id || id.startsWith(`${atIndex.id}/`))) return atIndex;
    const byGuid = named?.guid ? this.byGuid.get(named.guid) : undefined;
    return byGuid ?? [home, ...this.components].map((one) => one.find(id)).find((one) => one !== undefined);
  }

  private get components(): Component[] {
    return [this.driver, ...this.extensions];
  }

  private componentOf(named: NonNullable<Naming['rule']>['toolComponent']): Component {
    const byGuid = named?.guid && this.components.find(({ tool }) => tool.guid === named.guid);
    const byIndex = this.extensions[named?.index ?? -1];
    const byName = named?.name && this.components.find(({ tool }) => tool.name === named.name);
    return byGuid || byIndex || byName || this.driver;
  }
}
