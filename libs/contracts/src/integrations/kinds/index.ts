import { builds } from './builds';
import { chats } from './chats';
import type { IntegrationKind } from './kind';
import { others } from './others';
import { trackers } from './trackers';

export {
  type IntegrationEvent,
  type IntegrationField,
  type IntegrationKind,
  type IntegrationProfile,
  integrationEvents,
  schemaOf,
} from './kind';

/** Every kind of integration, by slug. A new one is an entry here, and its messages in `apps/integrations`. */
export const integrationKinds: readonly IntegrationKind[] = [...chats, ...trackers, ...builds, ...others].sort(
  (a, b) => (a.slug < b.slug ? -1 : 1),
);

/** Both spellings are accepted: `drone-ci` and `drone_ci`. */
export const integrationKind = (slug: string): IntegrationKind | undefined =>
  integrationKinds.find((kind) => kind.slug === slug.replaceAll('_', '-'));
