import {
  type getIntegration,
  type IntegrationKind,
  type IntegrationSwitch,
  integrationSwitches,
  type listIntegrations,
  type OutputOf,
} from '@moothall/contracts';
import type { IntegrationDocument } from './integration.schema';

type Entry = OutputOf<typeof listIntegrations>[number];

/** @param found null if the project does not have it: shown with its defaults */
export function viewEntry(kind: IntegrationKind, found: IntegrationDocument | null): Entry {
  const switches = Object.fromEntries(
    integrationSwitches.map((name) => [name, found?.switches[name] ?? true]),
  ) as Record<IntegrationSwitch, boolean>;
  return {
    id: found?._id ?? null,
    title: titleOf(kind, found),
    slug: kind.slug,
    created_at: found?.createdAt.toISOString() ?? null,
    updated_at: found?.updatedAt.toISOString() ?? null,
    active: found?.isActive ?? false,
    ...switches,
  };
}

export function viewIntegration(
  kind: IntegrationKind,
  found: IntegrationDocument | null,
): OutputOf<typeof getIntegration> {
  const shown = Object.entries(kind.fields).filter(([, { isSecret }]) => !isSecret);
  const properties = shown.map(([name, { choices }]) => [name, found?.settings[name] ?? choices?.[0] ?? null]);
  return { ...viewEntry(kind, found), properties: Object.fromEntries(properties) };
}

/** Trackers may have a custom title. */
function titleOf(kind: IntegrationKind, found: IntegrationDocument | null): string {
  const own = 'title' in kind.fields && found?.settings.title;
  return typeof own === 'string' && own !== '' ? own : kind.title;
}
